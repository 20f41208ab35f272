import { existsSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SparePrograms, type SpareKind } from '../../../src/host/spares/spare-programs.ts'
import { createLiveTrees, type LiveTrees } from '../../../src/system/process/launcher/live-trees.ts'
import { runCommand } from '../../../src/system/process/run-command.ts'
import { createMark } from '../../../src/system/process/trees/marks.ts'

/** A program that says what it is told, with the process that says it. */
const echo = 'echo started; while read -r line; do echo "$line $$"; done'

const kind = (name: string): SpareKind => ({
  name,
  commandIn: (home) => ({
    argv: ['sh', '-c', echo],
    cwd: home,
    env: {},
    input: { ahead: `home ${home}\n`, task: '' },
  }),
})

interface Opened {
  readonly spares: SparePrograms
  readonly processes: LiveTrees
}

function openSpares(wanted: number): Opened {
  const runMark = createMark()
  const processes = createLiveTrees(runMark)
  onTestFinished(() => processes.close())
  return { spares: new SparePrograms({ processes, runMark, wanted: () => wanted }), processes }
}

test('a program that was started ahead gets its task, and is the one that was started', async () => {
  const { spares, processes } = openSpares(1)
  await spares.prepare(kind('a'))
  await spares.prepare(kind('a'))
  expect(spares.take({ name: 'b' })).toBeUndefined()
  const spare = spares.take({ name: 'a' })
  if (spare === undefined) throw new Error('there is none')
  expect(spares.take({ name: 'a' })).toBeUndefined()
  const lines: string[] = []
  const { end } = await runCommand(
    { argv: ['/nothing'], cwd: '/', env: {}, input: { ahead: 'never', task: 'task\n' } },
    {
      launcher: await processes.launcher(),
      ahead: spare.program,
      mark: spare.mark,
      hardTimeoutMs: 120_000,
      graceMs: 0,
      onLine: (_stream, line) => lines.push(line),
    },
  )
  expect(end).toEqual({ reason: 'exit', exitCode: 0 })
  expect(lines).toEqual(['started', `home ${spare.home} ${spare.program.pid}`, `task ${spare.program.pid}`])
})

test('none is started that nobody wants, and one that died is none', async () => {
  const { spares: unwanted } = openSpares(0)
  await unwanted.prepare(kind('a'))
  expect(unwanted.take({ name: 'a' })).toBeUndefined()
  const { spares } = openSpares(1)
  await spares.prepare({ name: 'a', commandIn: (home) => ({ ...kind('a').commandIn(home), argv: ['/bin/false'] }) })
  await vi.waitFor(() => expect(spares.count).toBe(0))
  await spares.prepare({ name: 'a', commandIn: (home) => ({ ...kind('a').commandIn(home), argv: ['/nowhere'] }) })
  expect(spares.take({ name: 'a' })).toBeUndefined()
})

test('the end of a run ends those that wait, and removes their homes', async () => {
  const { spares, processes } = openSpares(2)
  const homes: string[] = []
  const noted = (name: string): SpareKind => ({
    name,
    commandIn(home) {
      homes.push(home)
      return kind(name).commandIn(home)
    },
  })
  const ended: number[] = []
  const { end } = processes
  vi.spyOn(processes, 'end').mockImplementation(async (pids, graceMs) => {
    ended.push(...pids)
    await end(ended, graceMs)
  })
  // The second one is still being started.
  await spares.prepare(noted('a'))
  const late = spares.prepare(noted('b'))
  await spares.end()
  await late
  expect(spares.take({ name: 'a' })).toBeUndefined()
  expect(spares.take({ name: 'b' })).toBeUndefined()
  expect(homes.filter((home) => existsSync(home))).toEqual([])
  expect(ended).toHaveLength(2)
  for (const pid of ended) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
