import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { holdTree, type TreeHold } from '../../../../src/system/process/trees/hold-tree.ts'
import { chooseLimit, setLimit } from '../../../../src/system/process/trees/inherited-limit.ts'
import { killTree } from '../../../../src/system/process/trees/kill-trees.ts'
import { readStartTime } from '../../../../src/system/process/trees/process-table.ts'
import { freePort } from '../../../support/free-port.ts'
import { carriers, until, useFixtures } from '../use-fixtures.ts'

const fixtures = useFixtures()

interface Held extends AsyncDisposable {
  readonly hold: TreeHold
  readonly pid: number
  path(name: string): string
}

/** A shell that runs this, as an agent's program would. */
async function start(code: string, { jobsMs = 0 } = {}): Promise<Held> {
  const mark = fixtures.runMark
  const cwd = fixtures.directory
  const { pid = 0 } = spawn('bash', ['-c', code], {
    cwd,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, MDTEST_MARKS: mark },
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
      await killTree({ ...root, mark, graceMs: 0 })
    },
  }
}

const counts = (file: string): string => `while :; do echo x >>${file}; sleep 0.01; done`

/** Whether it grows within a fifth of a second. */
async function grows(file: string): Promise<boolean> {
  const before = existsSync(file) ? statSync(file).size : 0
  await sleep(200)
  return (existsSync(file) ? statSync(file).size : 0) > before
}

describe.runIf(process.platform === 'linux')('a tree that is held', () => {
  test.for([
    ['itself', counts('n')],
    ['its child', `(${counts('n')}) & wait`],
    ['a child that left its session', `setsid bash -c '${counts('n')}' & sleep 300`],
    ['a child that lost its parent and left its session', `(setsid bash -c '${counts('n')}' &) ; sleep 300`],
    ['one with nothing of its environment', `sleep 0.3; (env -i setsid bash -c '${counts('n')}' &) ; sleep 300`],
    ['children that come all the time', `while :; do (echo x >>n; sleep 0.01) & sleep 0.01; done`],
    ['a chain that replaces itself', `next() { echo x >>n; sleep 0.01; (next) & }; next; sleep 300`],
  ] as const)('does nothing: %s', async ([, code]) => {
    await using tree = await start(code)
    await until(() => existsSync(tree.path('n')))
    await tree.hold.stop()
    expect(await grows(tree.path('n'))).toBe(false)
    expect(await grows(tree.path('n'))).toBe(false)
    tree.hold.resume()
    expect(await grows(tree.path('n'))).toBe(true)
    await tree[Symbol.asyncDispose]()
    expect(await grows(tree.path('n'))).toBe(false)
  })

  test('is stopped again after somebody else let it go on', async () => {
    await using tree = await start(counts('n'))
    await until(() => existsSync(tree.path('n')))
    await tree.hold.stop()
    process.kill(-tree.pid, 'SIGCONT')
    await sleep(400)
    expect(await grows(tree.path('n'))).toBe(false)
  })

  test('can be ended, and again is held', async () => {
    await using tree = await start(`trap 'touch ended; exit' TERM; ${counts('n')}`)
    await until(() => existsSync(tree.path('n')))
    await tree.hold.stop()
    tree.hold.resume()
    await tree.hold.stop()
    tree.hold.close()
    await killTree({ pid: tree.pid, mark: fixtures.runMark, graceMs: 3000 })
    expect(existsSync(tree.path('ended'))).toBe(true)
    expect(carriers(fixtures.runMark)).toEqual([])
  })

  test('gives a job in the background time to end, and says what it left', async () => {
    await using tree = await start(`(bash -c 'sleep 0.5; touch done' &); (bash -c 'sleep 301; true' &); sleep 300`, {
      jobsMs: 1500,
    })
    await sleep(100)
    expect(await tree.hold.stop()).toEqual([expect.stringContaining('sleep 301')])
    expect(existsSync(tree.path('done'))).toBe(true)
    const startMs = performance.now()
    tree.hold.resume()
    await tree.hold.stop()
    // It was waited for once.
    expect(performance.now() - startMs).toBeLessThan(1000)
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
    expect([await grows(tree.path('n')), await grows(tree.path('m'))]).toEqual([false, false])
  })

  test('is not woken by a call that one of its own made before', async () => {
    const port = await freePort()
    const code = `const net = require('net'), { spawn } = require('child_process')
      const server = net.createServer(() => {}).listen(${port}, '127.0.0.1', () => {
        spawn(process.execPath, ['-e', 'setInterval(() => require("fs").appendFileSync("n", "x"), 10)'], { stdio: 'ignore' })
        process.kill(process.pid, 'SIGSTOP')
      })`
    await using tree = await start(`"${process.execPath}" -e '${code.replaceAll("'", `'\\''`)}'`)
    await until(() => existsSync(tree.path('n')))
    const caller = connect(port, '127.0.0.1')
    await new Promise((resolve) => caller.once('connect', resolve))
    await tree.hold.stop()
    expect(await grows(tree.path('n'))).toBe(false)
    caller.destroy()
  })
})

function isOpen(port: number): boolean {
  return readFileSync('/proc/net/tcp', 'latin1').includes(`:${port.toString(16).toUpperCase().padStart(4, '0')} `)
}
