import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { holdTree, type TreeHold } from '../../../../src/system/process/trees/hold-tree.ts'
import { killTrees } from '../../../../src/system/process/trees/kill-trees.ts'
import { readStartTime } from '../../../../src/system/process/trees/process-table.ts'
import { freePort } from '../../../support/free-port.ts'
import { carriers, until, useFixtures } from '../use-fixtures.ts'
import { chooseLimit, setLimit } from '../../../../src/system/process/trees/marks.ts'

const fixtures = useFixtures()

interface Held extends AsyncDisposable {
  readonly hold: TreeHold
  readonly pid: number
  path(name: string): string
}

/** A shell that runs this, as an agent's program would. */
async function start(code: string, { jobsMs = 0, mark = fixtures.runMark } = {}): Promise<Held> {
  const cwd = fixtures.directory
  const { pid = 0 } = spawn('bash', ['-c', code], {
    cwd,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, MDTEST_MARKS: `${fixtures.runMark}:${mark}` },
  })
  const root = { pid, startTime: readStartTime(pid), limit: chooseLimit() }
  if (root.limit !== undefined) setLimit(pid, root.limit)
  const hold = holdTree({ root, mark, jobsMs })
  return {
    hold,
    pid,
    path: (name) => join(cwd, name),
    async [Symbol.asyncDispose]() {
      hold.close()
      await killTrees({ roots: [root], mark, graceMs: 0 })
    },
  }
}

const counts = (file: string): string => `while :; do echo x >>${file}; sleep 0.01; done`
const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0)

/** Whether it grows within a fifth of a second, as it would were it not held. */
async function grows(...files: readonly string[]): Promise<boolean> {
  const before = files.map(sizeOf)
  await sleep(200)
  return files.some((file, index) => sizeOf(file) > (before[index] ?? 0))
}

describe.runIf(process.platform === 'linux')('a tree that is held', () => {
  test('does nothing, goes on, and can be ended', async () => {
    const scripts = [
      counts('n0'),
      `(setsid bash -c '${counts('n1')}' &) ; sleep 300`,
      `sleep 0.3; (env -i setsid bash -c '${counts('n2')}' &) ; sleep 300`,
      `next() { echo x >>n3; sleep 0.01; (next) & }; next; sleep 300`,
    ]
    const trees = await Promise.all(scripts.map((code, index) => start(code, { mark: `tree-${index}-${Date.now()}` })))
    const files = trees.map(({ path }, index) => path(`n${index}`))
    await until(() => files.every((file) => sizeOf(file) > 0))
    await Promise.all(trees.map(({ hold }) => hold.stop()))
    expect(await grows(...files)).toBe(false)
    const held = files.map(sizeOf)
    for (const { hold } of trees) hold.resume()
    await until(() => files.every((file, index) => sizeOf(file) > (held[index] ?? 0)))
    for (const tree of trees) await tree[Symbol.asyncDispose]()
    expect(carriers(fixtures.runMark)).toEqual([])
    expect(await grows(...files)).toBe(false)
  })

  test('takes its SIGTERM', async () => {
    await using tree = await start(`trap 'touch ended; exit' TERM; ${counts('n')}`)
    await until(() => existsSync(tree.path('n')))
    await tree.hold.stop()
    tree.hold.close()
    await killTrees({ roots: [{ pid: tree.pid }], mark: fixtures.runMark, graceMs: 60_000 })
    expect(existsSync(tree.path('ended'))).toBe(true)
  })

  test.each([
    [`(bash -c 'sleep 0.3; touch done' &)`, 60_000, []],
    [`touch done; (bash -c 'sleep 301; true' &)`, 100, [expect.stringContaining('sleep 301')]],
    // Nobody waits for the helpers of mdtest's browser.
    [`touch done; (MDTEST_MARKS+=:mdtest-browser setsid sleep 302 &)`, 600_000, [expect.stringContaining('sleep 302')]],
  ])('gives %s in the background time to end, and says what it left', async (job, jobsMs, left) => {
    await using tree = await start(`${job}; touch begun; sleep 300`, { jobsMs })
    await until(() => existsSync(tree.path('begun')))
    expect(await tree.hold.stop()).toEqual(left)
    expect(existsSync(tree.path('done'))).toBe(true)
  })

  test('has servers that answer a call, also with their helpers, and nobody else', async () => {
    const port = await freePort()
    const serve = `require('http').createServer((_, r) => r.end(require('child_process').execFileSync('echo', ['hi']))).listen(${port}, '127.0.0.1')`
    await using tree = await start(
      `("${process.execPath}" -e "${serve}" &) ; (bash -c '${counts('n')}' &) ; ${counts('m')}`,
      { jobsMs: 300 },
    )
    await until(() => existsSync(tree.path('n')))
    await until(() => isOpen(port))
    await tree.hold.stop()
    const answers = [1, 2].map(async () => (await fetch(`http://127.0.0.1:${port}/`)).text())
    expect(await Promise.all(answers)).toEqual(['hi\n', 'hi\n'])
    expect(await grows(tree.path('n'), tree.path('m'))).toBe(false)
  })

  test.for(['itself', 'a child'])('takes an answer, and does nothing else: %s', async (who) => {
    const connections: Socket[] = []
    const server = createServer((connection) => void connections.push(connection)).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // it listens on a port
    const client = `const write = (name) => require('fs').appendFileSync(name, 'x')
      setInterval(() => write('n'), 10)
      require('net').connect(${port}, '127.0.0.1').on('data', () => write('heard'))`
    const asks = `${who === 'itself' ? 'exec ' : ''}"${process.execPath}" -e '${client.replaceAll("'", `'\\''`)}'`
    await using tree = await start(`(${counts('m')}) & ${asks}; true`)
    await until(() => connections.length > 0 && existsSync(tree.path('m')))
    await tree.hold.stop()
    const [connection] = connections
    const before = statSync(tree.path('m')).size
    connection?.write('answer')
    expect([await grows(tree.path('n')), existsSync(tree.path('heard'))]).toEqual([false, false])
    await tree.hold.letHear(
      connection?.remotePort,
      until(() => existsSync(tree.path('heard')), 60_000),
    )
    expect([await grows(tree.path('n')), await grows(tree.path('m'))]).toEqual([false, false])
    expect(statSync(tree.path('m')).size).toBe(before)
    tree.hold.resume()
    expect([await grows(tree.path('n')), await grows(tree.path('m'))]).toEqual([true, true])
    connection?.destroy()
  })
})

function isOpen(port: number): boolean {
  return readFileSync('/proc/net/tcp', 'latin1').includes(`:${port.toString(16).toUpperCase().padStart(4, '0')} `)
}
