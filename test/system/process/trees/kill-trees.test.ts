import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { killTree, killTreesNow } from '../../../../src/system/process/trees/kill-trees.ts'
import { withMarks } from '../../../../src/system/process/trees/marks.ts'
import { readProcessTable, readStartTime } from '../../../../src/system/process/trees/process-table.ts'
import { carriers, isAlive, until, useFixtures } from '../use-fixtures.ts'

const fixtures = useFixtures()
const onLinux = process.platform === 'linux'

interface Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly output: () => string
}

/** Started with the run mark only, so that `mark: runMark` stands for the command's own. */
async function start(name: string, ...args: readonly string[]): Promise<Started> {
  const { argv, cwd, env } = fixtures.command(name, ...args)
  const [file, ...rest] = argv
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  const child = spawn(file, rest, { cwd, env: withMarks(env, [fixtures.runMark]), detached: true, stdio: [...stdio] })
  await once(child, 'spawn')
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, pid: child.pid ?? 0, output: () => output }
}

async function startReady(name: string): Promise<Started> {
  const started = await start(name)
  await until(() => started.output() !== '')
  return started
}

describe('killTree', () => {
  test('sends SIGTERM to each process once', async () => {
    const { pid, output, child } = await startReady('counts-sigterms.mjs')
    await killTree({ pid, mark: fixtures.runMark, graceMs: 5000 })
    if (child.exitCode === null) await once(child, 'close')
    expect(output()).toBe('ready\nterms: 1\n')
  })

  test('does not wait out the grace when all are gone', async () => {
    const { pid } = await startReady('spawns-grandchild.mjs')
    const startMs = performance.now()
    await killTree({ pid, mark: fixtures.runMark, graceMs: 10_000 })
    expect(performance.now() - startMs).toBeLessThan(3000)
  })

  test.for(['ignores-sigterm.mjs', 'ignores-everything.sh'])('ends %s after the grace', async (name) => {
    const { pid } = await startReady(name)
    await killTree({ pid, mark: fixtures.runMark, graceMs: 100 })
    expect(isAlive(pid)).toBe(false)
    expect(carriers(fixtures.runMark)).toEqual([])
  })

  test('lets a stopped process take its SIGTERM', async () => {
    const { pid, child } = await startReady('stops-itself.mjs')
    await sleep(150)
    const exit = once(child, 'exit')
    await killTree({ pid, mark: fixtures.runMark, graceMs: 10_000 })
    expect(await exit).toEqual([null, 'SIGTERM'])
  })

  test('kills without SIGTERM when there is no grace', async () => {
    const { pid, child } = await startReady('cleans-up-on-sigterm.mjs')
    const exit = once(child, 'exit')
    await killTree({ pid, mark: fixtures.runMark, graceMs: 0 })
    expect(await exit).toEqual([null, 'SIGKILL'])
  })

  test.runIf(onLinux)('catches a chain of processes that replace themselves', async () => {
    const { pid } = await start('replaces-itself.sh', '20000')
    await sleep(100)
    expect(carriers(fixtures.runMark)).not.toEqual([])
    await killTree({ pid, mark: fixtures.runMark, graceMs: 50 })
    expect(carriers(fixtures.runMark)).toEqual([])
  })

  test.runIf(onLinux)('finds by the mark alone', async () => {
    const { pid } = await startReady('forever-ready.sh')
    await killTree({ pid: undefined, mark: fixtures.runMark, graceMs: 100 })
    expect(isAlive(pid)).toBe(false)
  })

  test.runIf(onLinux)('leaves a later process with the same id alone', async () => {
    const { pid } = await startReady('ignores-sigterm.mjs')
    await killTree({ pid, startTime: '1', mark: 'no-such-mark', graceMs: 0 })
    expect(isAlive(pid)).toBe(true)
    await killTree({ pid, startTime: readStartTime(pid), mark: 'no-such-mark', graceMs: 0 })
    expect(isAlive(pid)).toBe(false)
  })

  test('never touches this process, its group or everything', async () => {
    const own = readProcessTable().find(({ pid }) => pid === process.pid)
    for (const pid of [process.pid, own?.groupId, own?.sessionId, 1, 0, -1, Number.NaN]) {
      await killTree({ pid, mark: '', graceMs: 0 })
      killTreesNow({ roots: pid === undefined ? [] : [{ pid }], mark: '' })
    }
    expect(isAlive(process.pid)).toBe(true)
  })

  test('takes a process that is gone as gone', async () => {
    const { pid, child } = await start('exits-with.mjs', '0')
    await once(child, 'exit')
    await killTree({ pid, mark: fixtures.runMark, graceMs: 10_000 })
  })

  test('does not wait for the grace when there is nothing', async () => {
    const ended = killTree({ pid: 99_999_999, mark: 'none', graceMs: 600_000 })
    await expect(ended).resolves.toBeUndefined()
  })
})

describe('killTreesNow', () => {
  test.for(['ignores-sigterm.mjs', 'spawns-grandchild.mjs', 'clears-environment.mjs', 'stops-itself.mjs'])(
    'ends %s before it returns',
    async (name) => {
      const { pid, output } = await startReady(name)
      const grandchild = Number(/\d+/.exec(output())?.[0] ?? pid)
      killTreesNow({ roots: [{ pid }], mark: fixtures.runMark })
      expect([isAlive(pid), isAlive(grandchild)]).toEqual([false, false])
    },
  )

  test('leaves time to clean up, and no more', async () => {
    const polite = await startReady('cleans-up-on-sigterm.mjs')
    const deaf = await startReady('ignores-sigterm.mjs')
    const exits = [polite, deaf].map(({ child }) => once(child, 'exit'))
    const roots = [polite, deaf].map(({ pid }) => ({ pid, startTime: undefined }))
    killTreesNow({ roots, mark: fixtures.runMark }, { graceMs: 3_000 })
    expect([isAlive(polite.pid), isAlive(deaf.pid)]).toEqual([false, false])
    expect(await Promise.all(exits)).toEqual([
      [0, null],
      [null, 'SIGKILL'],
    ])
  })
})
