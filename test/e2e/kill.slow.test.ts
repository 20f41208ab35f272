import { existsSync, readdirSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { registerName } from '../../src/records/folders/prune-run-folders.ts'
import {
  createBusyProject,
  expectNothingLeft,
  send,
  type BusyProject,
  type Kill,
  type Running,
} from '../support/busy-project.ts'
import { createProject, type Project } from '../support/create-project.ts'
import { jest } from '../support/lane.ts'
import { happensWithin, leftAfter, processesOf, zombiesOf } from '../support/leftovers.ts'
import { passingSpec } from '../support/specs.ts'
import { carriers } from '../system/process/use-fixtures.ts'

const onLinux = process.platform === 'linux'
const all = { specs: ['agent', 'blocks'] } as const // literals
const inJest = { program: 'jest', args: ['--maxWorkers=2'], ...all } as const // literals

const kills: readonly Kill[] = [
  { title: 'SIGTERM to Vitest', program: 'vitest', args: ['run'], ...all, signal: 'SIGTERM', exitCode: 143 },
  {
    title: 'SIGINT to Vitest',
    program: 'vitest',
    args: ['run', '--pool=forks'],
    ...all,
    signal: 'SIGINT',
    exitCode: 130,
  },
  { title: 'SIGHUP to Vitest', program: 'vitest', args: ['run'], ...all, signal: 'SIGHUP' },
  // One that nobody hears, for all of these.
  { title: 'SIGQUIT to Vitest', program: 'vitest', args: ['run'], ...all, signal: 'SIGQUIT' },
  ...(['agent', 'blocks'] as const).map((spec): Kill => ({
    title: `SIGKILL to \`mdtest run\` in ${spec}`,
    ...{ program: 'mdtest', args: ['run', `${spec}.test.md`], specs: [spec], signal: 'SIGKILL' },
  })),
]
const jestKills: readonly Kill[] = [
  { title: 'SIGKILL to Jest', ...inJest, signal: 'SIGKILL' },
  { title: 'SIGINT to Jest', ...inJest, signal: 'SIGINT' },
  { title: 'SIGKILL to the workers of Jest', ...inJest, signal: 'SIGKILL', victim: 'processChild.js', exitCode: 1 },
  { title: 'SIGKILL to the process beside Jest', ...inJest, signal: 'SIGKILL', victim: 'server-main.js', exitCode: 1 },
]

/** `expect.poll` does not know its test among others at once. */
async function waitUntil(isThere: () => boolean): Promise<void> {
  expect(await happensWithin(200_000, isThere)).toBe(true)
}

async function expectClean(busy: BusyProject): Promise<void> {
  expect(await leftAfter(busy.project.dir)).toEqual([])
  await waitUntil(() => busy.temporaryFolders().length === 0)
}

describe.concurrent('nothing is left', () => {
  test.for(kills)('after $title', (kill) => expectNothingLeft(kill))

  test.skipIf(jest.unavailable !== undefined).for(jestKills)('after $title', (kill) => expectNothingLeft(kill, jest))

  test('after limits of blocks and agents', async () => {
    const limited = (limit: string): string => `---\n${limit}: 4s\n---\n\n# Busy\n\nTake your time.\n`
    await using busy = await createBusyProject('blockTimeoutMs: 4000', {
      'agent.test.md': limited('timeout'),
      'silent.test.md': limited('silence-timeout'),
    })
    const { exitCode, all: printed } = await busy.project.vitest(['run'], { env: { TMPDIR: busy.tempDir } })
    expect(printed.match(/BLOCK_TIMEOUT|AGENT_TIMEOUT|AGENT_SILENT/g)).toEqual(
      expect.arrayContaining(['BLOCK_TIMEOUT', 'AGENT_TIMEOUT', 'AGENT_SILENT']),
    )
    expect(exitCode).toBe(1)
    await expectClean(busy)
  })

  test('after `--bail=1` while two more specs run', async () => {
    const wait = 'until test $(ls ready | wc -l) -ge 7; do sleep 0.05; done; false'
    await using busy = await createBusyProject('', {
      'fails.test.md': `---\nagent: none\n---\n\n# Fails\n\n\`\`\`sh\n${wait}\n\`\`\`\n`,
    })
    const { process: running } = await busy.start('vitest', ['run', '--bail=1', '--maxWorkers=3'], all.specs)
    const { exitCode, all: printed } = await running
    expect(printed).toContain('RUN_FAILED')
    expect(exitCode).toBe(1)
    await expectClean(busy)
  })

  test('after a second interrupt of `mdtest run`, which does not wait for a stubborn agent', async () => {
    await using busy = await createBusyProject()
    const { process: running } = await busy.start('mdtest', ['run', 'agent.test.md'], ['agent'])
    send(running.pid, 'SIGINT')
    await waitUntil(() => existsSync(busy.project.path('ready/agent-told')))
    send(running.pid, 'SIGINT')
    const { exitCode, signal } = await running
    expect([130, 'SIGINT']).toContain(exitCode ?? signal)
    await expectClean(busy)
  })

  test('after an interrupt of `mdtest run` before anything runs', async () => {
    await using busy = await createBusyProject()
    for (const delayMs of [0, 250]) {
      const running = busy.project.start('mdtest', ['run'], { env: { TMPDIR: busy.tempDir } })
      await sleep(delayMs)
      send(running.pid, 'SIGINT')
      const { exitCode, signal } = await running
      expect([130, 'SIGINT']).toContain(exitCode ?? signal)
    }
    await expectClean(busy)
  })

  test('after two runs at once in one directory, and logs do not pile up', async () => {
    const log = `printf -- '---\\nstatus: pass\\n---\\n' > "$1"`
    await using busy = await createBusyProject('', {
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', '-c', ${JSON.stringify(log)}, 'sh', '{log}'] } })] }\n`,
      'blocks.test.md': passingSpec,
    })
    const older = Array.from({ length: 10 }, (_, n) => `2020-01-01T00-00-${10 + n}Z`)
    for (const stem of older) await busy.project.write(`agent.logs/${stem}.log.md`, '')
    await busy.project.write(`agent.logs/${registerName}`, `${older.join('\n')}\n`)
    const env = { TMPDIR: busy.tempDir }
    const runs = await Promise.all([busy.project.vitest(['run'], { env }), busy.project.mdtest(['run'], { env })])
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const logs = readdirSync(busy.project.path('agent.logs')).filter((name) => name.endsWith('.log.md'))
    expect([10, 11]).toContain(logs.length)
    await expectClean(busy)
  })

  test('not even zombies while the run goes on', async () => {
    const many = Array.from({ length: 5 }, (_, n) => `## Step ${n}\n\n\`\`\`sh\n(sleep 0.01 &)\nexit 0\n\`\`\`\n`)
    await using busy = await createBusyProject('', {
      'blocks.test.md': `---\nagent: none\n---\n\n# Many\n\n${many.join('\n')}\n## Last\n\n\`\`\`sh\nfor name in background session stubborn front; do touch "ready/block-$name"; done\nsleep 600\n\`\`\`\n`,
    })
    const { process: running } = await busy.start('vitest', ['run', 'blocks.test.md'], ['blocks'])
    await waitUntil(() => zombiesOf(busy.processes()).length === 0)
    send(running.pid, 'SIGKILL')
    await running
    await expectClean(busy)
  })
})

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
  const ids = { main: launcher?.parentPid ?? 0, launcher: launcher?.pid ?? 0, guard: guard?.pid ?? 0, runMark }
  expect(Math.min(ids.main, ids.launcher, ids.guard)).toBeGreaterThan(0)
  return ids
}

const kill = (...pids: readonly number[]): void => pids.forEach((pid) => send(pid, 'SIGKILL'))
const isAlive = (pid: number): boolean => processesOf('').some((each) => each.pid === pid)
const quick = { 'quick.test.md': '---\nagent: none\n---\n\n# Q\n\n```sh\ntrue\n```\n' }

describe.runIf(onLinux).concurrent('when main process and launcher are killed', () => {
  test('nothing is left, and the guard ends', async () => {
    await using busy = await createBusyProject()
    const { process: running } = await busy.start('vitest', ['run'], all.specs)
    const { main, launcher, guard, runMark } = idsOf(busy)
    kill(main, launcher)
    await running
    await expectClean(busy)
    expect(carriers(runMark)).toEqual([])
    await waitUntil(() => !isAlive(guard))
  })

  test('nothing is left where the launcher was killed before', async () => {
    await using busy = await createBusyProject()
    const { process: running } = await busy.start('mdtest', ['run', 'agent.test.md'], ['agent'])
    const { main, launcher } = idsOf(busy)
    kill(launcher)
    await waitUntil(() => !isAlive(launcher))
    kill(main)
    await running
    await expectClean(busy)
  })

  test('and the guard with them, the next run cleans up; a run that is alive is left alone', async () => {
    await using busy = await createBusyProject('', quick)
    await using alive = await createBusyProject()
    const { process: running } = await busy.start('vitest', ['run'], all.specs)
    const { process: other } = await alive.start('mdtest', ['run', 'blocks.test.md'], ['blocks'])
    const [{ main, launcher, guard, runMark }, ids] = [idsOf(busy), idsOf(alive)]
    const before = carriers(ids.runMark)
    kill(guard, main, launcher)
    // At once: another run on this machine may clean up, too.
    expect(carriers(runMark)).not.toEqual([])
    await running
    const env = { TMPDIR: busy.tempDir }
    expect((await busy.project.vitest(['run', 'quick.test.md'], { env })).exitCode).toBe(0)
    await expectClean(busy)
    expect([carriers(ids.runMark), alive.temporaryFolders()]).toEqual([before, [ids.runMark]])
    send(ids.main, 'SIGINT')
    await other
    await waitUntil(() => !isAlive(ids.guard))
    await expectClean(alive)
  })
})

const sh = (code: string): string => `\`\`\`sh\n${code}\n\`\`\`\n\n`

/** Interrupts `mdtest run` while the step waits. */
async function interrupt(project: Project, signal: NodeJS.Signals = 'SIGINT'): Promise<Running> {
  const running = project.start('mdtest', ['run'], { timeoutMs: 250_000 })
  await waitUntil(() => existsSync(project.path('ready')))
  send(running.pid, signal)
  return { process: running }
}

// Without further words, after an interrupt: interrupt.test.ts.
describe.concurrent('a tear-down', () => {
  const tearing = `---\nagent: none\n---\n\n# T\n\n## Waits\n\n${sh('touch ready; sleep 600')}## Teardown\n\n${sh('while :; do echo >> ticks; sleep 1; done')}`
  const ticks = (project: Project): number => statSync(project.path('ticks'), { throwIfNoEntry: false })?.size ?? 0

  test('runs after SIGTERM, and after an agent that would not end was ended', async () => {
    const wait = `trap '' TERM; touch ready; while :; do sleep 1; done`
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', '-c', ${JSON.stringify(wait)}] } })] }\n`,
      'a.test.md': '# T\n\n## Waits\n\nWait.\n\n## Teardown\n\n```sh run\ntouch torn-down\n```\n',
    })
    const { exitCode, all: printed } = await (await interrupt(project, 'SIGTERM')).process
    expect(exitCode, String(printed)).toBe(143)
    expect(existsSync(project.path('torn-down')), String(printed)).toBe(true)
    expect(printed).not.toMatch(/timed out/i)
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('has 10 s after an interrupt, and is given up at a second one', async () => {
    await using once = await createProject({ 'a.test.md': tearing })
    await using twice = await createProject({ 'a.test.md': tearing })
    const endOnce = async (): Promise<void> => {
      expect((await (await interrupt(once)).process).exitCode).toBe(130)
      // Later and slower on a machine that has much to do, but never without an end.
      expect(ticks(once)).toBeGreaterThan(1)
    }
    const endTwice = async (): Promise<void> => {
      const { process: running } = await interrupt(twice)
      await waitUntil(() => ticks(twice) > 0)
      send(running.pid, 'SIGINT')
      await running
      expect(ticks(twice)).toBeLessThan(8)
    }
    await Promise.all([endOnce(), endTwice()])
    for (const { dir } of [once, twice]) expect(await leftAfter(dir)).toEqual([])
  })

  test('tries each of its blocks, those of included files too, and has the variables from before', async () => {
    const last = ['echo one >> order; false', 'sleep 600', 'exit 3', 'echo two >> order', 'echo "$name" >> order']
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ blockTimeoutMs: 3000 })] }\n`,
      'shared.md': `## Teardown\n\n${sh('echo included >> order')}`,
      'a.test.md': `---\nagent: none\ninclude: [./shared.md]\n---\n\n# T\n\n## Setup\n\n${sh('name=made')}## Waits\n\n${sh('name=other; sleep 600')}## Teardown\n\n${last.map(sh).join('')}`,
    })
    const { exitCode, all: printed } = await project.vitest(['run'])
    expect(exitCode).toBe(1)
    const order = (await project.read('order')).trim().split('\n')
    expect(order.toSorted(), printed).toEqual(['included', 'made', 'one', 'two'])
    expect(printed).toContain('BLOCK_TIMEOUT')
    expect(printed.match(/TEARDOWN_FAILED/g)?.length).toBeGreaterThanOrEqual(3)
  })
})
