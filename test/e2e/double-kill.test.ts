import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { carriers } from '../system/process/use-fixtures.ts'
import { createBusyProject, type BusyProject, type BusySpec } from '../support/busy-project.ts'
import type { Program } from '../support/create-project.ts'
import { leftAfter, processesOf } from '../support/leftovers.ts'

const onLinux = process.platform === 'linux'

interface Ids {
  readonly main: number
  readonly launcher: number
  readonly guard: number
  readonly runMark: string
}

function idsOf(busy: BusyProject): Ids {
  const launcher = busy.processes().find(({ line }) => line.includes('launcher-main.js'))
  const [runMark = ''] = busy.temporaryFolders()
  const guard = processesOf('mdtest-guard').find(({ parentPid }) => parentPid === launcher?.pid)
  return { main: launcher?.parentPid ?? 0, launcher: launcher?.pid ?? 0, guard: guard?.pid ?? 0, runMark }
}

/** Of all runs on this machine. */
const guards = (): ReadonlySet<number> => new Set(processesOf('mdtest-guard').map(({ pid }) => pid))

const kill = (...pids: readonly number[]): void => {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

const runs: readonly (readonly [Program, readonly string[], readonly BusySpec[]])[] = [
  ['vitest', ['run'], ['agent', 'blocks']],
  ['mdtest', ['run', 'agent.test.md'], ['agent']],
]

describe.runIf(onLinux)('when main process and launcher are killed at once', () => {
  test.for(runs)('nothing is left: %s %s', async ([program, args, specs]) => {
    await using busy = await createBusyProject()
    const { process: running } = await busy.start(program, args, specs)
    const { main, launcher, guard, runMark } = idsOf(busy)
    expect(guard).toBeGreaterThan(0)
    kill(main, launcher)
    await running
    expect(await leftAfter(busy.project.dir, 5_000)).toEqual([])
    expect(carriers(runMark)).toEqual([])
    await expect.poll(() => busy.temporaryFolders(), { timeout: 5_000 }).toEqual([])
    await expect.poll(() => guards().has(guard), { timeout: 5_000 }).toBe(false)
  })

  test('also when they are killed a moment apart, the launcher first', async () => {
    await using busy = await createBusyProject()
    const { process: running } = await busy.start('vitest', ['run', 'blocks.test.md'], ['blocks'])
    const { main, launcher } = idsOf(busy)
    kill(launcher)
    await sleep(100)
    kill(main)
    await running
    expect(await leftAfter(busy.project.dir, 5_000)).toEqual([])
    await expect.poll(() => busy.temporaryFolders(), { timeout: 5_000 }).toEqual([])
  })

  test('and the guard with them, the next run cleans up', async () => {
    await using busy = await createBusyProject('', {
      'quick.test.md': '---\nagent: none\n---\n\n# Q\n\n## A\n\n```sh\ntrue\n```\n',
    })
    const { process: running } = await busy.start('vitest', ['run'], ['agent', 'blocks'])
    const { main, launcher, guard, runMark } = idsOf(busy)
    kill(guard, main, launcher)
    // At once: another run on this machine may clean up, too.
    expect(carriers(runMark)).not.toEqual([])
    await running
    const { exitCode } = await busy.project.vitest(['run', 'quick.test.md'], { env: { TMPDIR: busy.tempDir } })
    expect(exitCode).toBe(0)
    expect(await leftAfter(busy.project.dir, 5_000)).toEqual([])
    await expect.poll(() => busy.temporaryFolders(), { timeout: 5_000 }).toEqual([])
  })
})

describe.runIf(onLinux)('a run that is alive', () => {
  test('is left alone by another one, and its guard ends with it', async () => {
    await using busy = await createBusyProject('', {
      'quick.test.md': '---\nagent: none\n---\n\n# Q\n\n## A\n\n```sh\nsleep 1\n```\n',
    })
    const { process: running } = await busy.start(
      'vitest',
      ['run', 'agent.test.md', 'blocks.test.md'],
      ['agent', 'blocks'],
    )
    const { main, guard, runMark } = idsOf(busy)
    const before = carriers(runMark)
    expect((await busy.project.vitest(['run', 'quick.test.md'], { env: { TMPDIR: busy.tempDir } })).exitCode).toBe(0)
    expect(carriers(runMark)).toEqual(before)
    expect(busy.temporaryFolders()).toEqual([runMark])
    process.kill(main, 'SIGINT')
    await running
    await expect.poll(() => guards().has(guard), { timeout: 3_000 }).toBe(false)
    expect(await leftAfter(busy.project.dir)).toEqual([])
  })
})
