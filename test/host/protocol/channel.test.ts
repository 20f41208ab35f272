import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { channelOf, listenOnLoopback } from '../../../src/host/protocol/channel.ts'

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

interface Door extends Awaited<ReturnType<typeof listenOnLoopback>> {
  readonly served: readonly Socket[]
  /** What was read behind the token. */
  readonly texts: readonly string[]
}

async function open(): Promise<Door> {
  const served: Socket[] = []
  const texts: string[] = []
  const listener = await listenOnLoopback((socket) => {
    const index = served.push(socket) - 1
    texts.push('')
    socket.setEncoding('utf8').on('data', (text: string) => {
      texts[index] += text
      socket.write('read')
    })
    socket.write('in')
  })
  closes.push(() => listener.close())
  return { ...listener, served, texts }
}

function knock({ port }: Door): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  closes.push(() => socket.destroy())
  return socket
}

/** Whatever breaks it. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

describe('the door of the host', () => {
  test('lets in who says the token, in pieces too, and loses nothing behind it', async () => {
    const door = await open()
    const socket = knock(door)
    socket.write(door.token.slice(0, 7))
    await once(socket, 'connect')
    socket.write(`${door.token.slice(7)}\nhello`)
    await once(socket, 'data')
    while (door.texts[0] !== 'hello') await once(socket, 'data')
    expect(door.served).toHaveLength(1)
  })

  test.each([
    ['another token', () => `${'0'.repeat(48)}\n`],
    ['a token with something behind it', (token: string) => `${token}x\n`],
    ['a part of the token', (token: string) => `${token.slice(0, -1)}\n`],
    ['an empty line', () => '\n'],
    ['another case', (token: string) => `${token.replace(/[a-f]/, (letter) => letter.toUpperCase())}\n`],
    ['a request of a browser', () => 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    ['much without a line end', () => 'x'.repeat(100_000)],
  ])('stays shut for %s', async (_title, words) => {
    const door = await open()
    const socket = knock(door)
    socket.write(words(door.token))
    await closed(socket)
    expect(door.served).toEqual([])
  })

  test('breaks every connection when it closes, also one that has said nothing yet', async () => {
    const door = await open()
    const [inside, silent] = [knock(door), knock(door)]
    inside.write(`${door.token}\n`)
    await once(inside, 'data')
    const ended = Promise.all([closed(inside), closed(silent)])
    door.close()
    await ended
    const late = knock(door)
    await closed(late)
    expect(door.served).toHaveLength(1)
  })

  test('has another token each time', async () => {
    const [one, other] = [await open(), await open()]
    expect(one.token).toMatch(/^[0-9a-f]{48}$/)
    expect(one.token).not.toBe(other.token)
  })
})

describe('messages', () => {
  test.each<[unknown, unknown]>([
    [{ a: [1, 'ü', null] }, { a: [1, 'ü', null] }],
    ['two\nlines', 'two\nlines'],
    [{ m: undefined }, {}],
  ])('%j come through', (message, received) => {
    const { serialize, deserialize } = channelOf(connect(1).on('error', () => undefined))
    const line = String(serialize(message))
    expect(line).not.toContain('\n')
    expect(deserialize(line)).toEqual(received)
  })

  test('that are errors keep name, message and stack', () => {
    const { serialize, deserialize } = channelOf(connect(1).on('error', () => undefined))
    const error = new RangeError('too far')
    expect(deserialize(serialize({ e: error }))).toEqual({
      e: { name: 'RangeError', message: 'too far', stack: error.stack },
    })
  })
})
