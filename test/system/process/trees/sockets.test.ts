import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  listeningSockets,
  parseTcp,
  parseUnix,
  socketsAt,
  socketsOf,
} from '../../../../src/system/process/trees/sockets.ts'

describe.runIf(process.platform === 'linux')('sockets that listen', () => {
  test.for(['127.0.0.1', '::1', '0.0.0.0', '::'])('are found by port on %s, with who holds them', async (host) => {
    const server = createServer().listen(0, host)
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const found = socketsAt(port)
    expect(found).toHaveLength(1)
    expect(socketsOf(process.pid)).toContain(found[0])
    expect(listeningSockets().get(found[0] ?? '')).toBe(0)
    server.close()
    await expect.poll(() => socketsAt(port)).toEqual([])
  })

  test('are found in the file system', async () => {
    const before = listeningSockets()
    const path = join(tmpdir(), `mdtest-${crypto.randomUUID()}.sock`)
    const server = createServer().listen(path)
    await new Promise((resolve) => server.once('listening', resolve))
    const fresh = [...listeningSockets()].filter(([inode]) => !before.has(inode) && socketsOf(process.pid).has(inode))
    expect(fresh).toEqual([[expect.any(String), 0]])
    connect(path).on('error', () => undefined)
    server.close()
  })

  test('tell of connections that nobody has accepted', () => {
    const tcp =
      '  sl  local\n   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000002 00:00000000 00000000  1000  0 4711 1 x 100\n' +
      '   1: 0100007F:0BB9 00000000:0000 01 00000000:00000002 00:00000000 00000000  1000  0 4712 1 x 100\n'
    expect(parseTcp(tcp)).toEqual([['4711', 2]])
    const unix =
      'Num RefCount Protocol Flags Type St Inode Path\nx: 00000002 00000000 00010000 0001 01 77 /run/a\nx: 00000003 00000000 00000000 0001 02 0 /run/a\n' +
      'x: 00000003 00000000 00000000 0001 02 0 /run/b\nx: 00000003 00000000 00000000 0001 03 78 /run/a\n'
    expect(parseUnix(unix)).toEqual([['77', 1]])
  })
})
