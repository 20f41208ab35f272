import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRepository, stubVitest, type Repository } from '../support/mcp-session.ts'
import { processesOfHome } from '../support/processes.ts'

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))
const limits = { timeout_ms: 200_000, no_output_timeout_ms: 200_000, max_output_bytes: 20_000 }

/** A client that writes whatever it likes. */
interface RawClient {
  readonly child: ChildProcessWithoutNullStreams
  write(text: string): void
  /** The answer with this id. */
  answer(id: unknown): Promise<Readonly<Record<string, unknown>>>
  call(id: number, target: string): void
  exitCode(): Promise<number | null>
}

let repository: Repository
beforeAll(async () => {
  repository = await createRepository({
    'quick.mjs': '',
    'slow.mjs': `await new Promise((done) => setTimeout(done, 2_000))`,
    'forever.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync('started', '')\nsetInterval(() => {}, 1_000)`,
  })
  await stubVitest(repository)
})
afterAll(() => repository[Symbol.asyncDispose]())

async function startClient(): Promise<RawClient> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [bin, 'mcp'], { cwd: repository.dir, env: { PATH, HOME: repository.dir } })
  const exited = once(child, 'exit').then(([code]) => code as number | null) // of a child
  child.stdin.on('error', () => undefined)
  const answers: Readonly<Record<string, unknown>>[] = []
  createInterface({ input: child.stdout }).on('line', (line) => answers.push(JSON.parse(line)))
  const write = (text: string): void => void child.stdin.write(`${text}\n`)
  const send = (message: object): void => write(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const answer: RawClient['answer'] = async (id) => {
    await expect.poll(() => answers.some((one) => one.id === id), { timeout: 200_000 }).toBe(true)
    return answers.find((one) => one.id === id) ?? {}
  }
  const clientInfo = { name: 'raw', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  send({ id: 0, method: 'initialize', params })
  await answer(0)
  send({ method: 'notifications/initialized' })
  const call = (id: number, target: string): void => {
    const input = { runner: 'vitest', scope: 'file', target, ...limits }
    send({ id, method: 'tools/call', params: { name: 'run_test', arguments: input } })
  }
  return { child, write, answer, call, exitCode: () => exited }
}

const filler = 'x'.repeat(12 * 1024 * 1024)
const tooLong = expect.stringMatching(/^The message has \d+ bytes, more than 10485760, and was not read\./)

describe('a message of more than 10 MiB', () => {
  test('is answered by its id, and the call under way and those after it are answered, too', async () => {
    const client = await startClient()
    client.call(1, 'slow.mjs')
    // As the SDK's client writes it, and as others do.
    client.write(
      `{"method":"tools/call","params":{"name":"run_test","arguments":{"target":"${filler}"}},"jsonrpc":"2.0","id":7}`,
    )
    client.write(`{ "jsonrpc": "2.0", "id": "a\\"b", "method": "tools/call", "params": {"id":99,"x":"${filler}"} }`)
    client.write(`{"jsonrpc":"2.0","method":"x","params":{"x":"${filler}","id":5}}`)
    expect(await client.answer(7)).toMatchObject({ error: { code: -32_600, message: tooLong } })
    expect(await client.answer('a"b')).toMatchObject({ error: { message: tooLong } })
    expect(await client.answer(null)).toMatchObject({ error: { message: tooLong } })
    expect(await client.answer(1)).toMatchObject({ result: { structuredContent: { exit_code: 0 } } })
    client.call(2, 'quick.mjs')
    expect(await client.answer(2)).toMatchObject({ result: { structuredContent: { exit_code: 0 } } })
    client.child.stdin.end()
    expect(await client.exitCode()).toBe(0)
  })

  test('without an end takes no memory', async () => {
    const client = await startClient()
    for (let n = 0; n < 40; n += 1) {
      if (!client.child.stdin.write(filler)) await once(client.child.stdin, 'drain')
    }
    client.write('')
    expect(await client.answer(null)).toMatchObject({ error: { message: tooLong } })
    if (process.platform === 'linux') {
      const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8')
      expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(250)
    }
    client.child.stdin.end()
    expect(await client.exitCode()).toBe(0)
  })
})

test('garbage between messages, deep nesting and half a message are passed over', async () => {
  const client = await startClient()
  for (const garbage of ['', '{', 'null', '\0\x1b[2J', '[]', '[[1]]', '"x"', '{"jsonrpc":"2.0"}', '{"id":1}'])
    client.write(garbage)
  client.write(`${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}`)
  client.write(`{"jsonrpc":"2.0","id":8,"method":"ping","params":${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}}`)
  client.call(1, 'quick.mjs')
  expect(await client.answer(1)).toMatchObject({ result: { structuredContent: { exit_code: 0 } } })
  client.child.stdin.write('{"jsonrpc":')
  client.child.stdin.end()
  expect(await client.exitCode()).toBe(0)
})

test('a client that reads no more ends the server, and the tests that it runs', async () => {
  const client = await startClient()
  client.call(1, 'forever.mjs')
  await expect.poll(() => existsSync(repository.path('started')), { timeout: 200_000 }).toBe(true)
  client.child.stdout.destroy()
  // Noticed with the next answer.
  client.write('{"jsonrpc":"2.0","id":2,"method":"ping"}')
  expect(await client.exitCode()).toBe(0)
  await expect.poll(() => processesOfHome(repository.dir), { timeout: 200_000 }).toEqual([])
})
