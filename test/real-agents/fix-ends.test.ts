import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { happensWithin, type ProjectProcess } from '../support/leftovers.ts'
import type { FixEnd, FixSession } from './fix-session.ts'
import { failing, passing, testFixes } from './test-fixes.ts'

/** Works until it is killed, and says when it has begun. Where it is not, the model is silent. */
const wait = {
  run: `node -e "require('node:fs').writeFileSync('started', ''); setTimeout(() => {}, 1e6)"`,
  end: { kind: 'silence' },
} as const // one of the replies
const mayWait = ['--allow', 'Bash(node *)']
const hasStarted = async (session: FixSession): Promise<void> =>
  expect(await happensWithin(100_000, () => existsSync(join(session.root, 'started')))).toBe(true)

/** Ends with one attempt that hangs; a person lets it go on. */
async function hangAndGoOn(session: FixSession): Promise<FixEnd> {
  const halted = await session.fix('--max-attempts', '1', '--agent-silence-timeout', '10s', ...mayWait).ended
  expect([halted.exitCode, halted.report], halted.stderr).toMatchObject([1, { result: 'incomplete', attempts: 1 }])
  const halt = session.read('artifacts/halt.md')
  expect(halt).toContain('It broke off: The agent was silent for 10000 ms.')
  const command = /npx mdtest fix (--resume \S+ --max-attempts 2)/.exec(halt)?.[1]
  expect(await session.leftovers()).toEqual([])
  return await session.fix(...(command ?? '').split(' '), '--agent-silence-timeout', '5m').ended
}

/** No program of Go. */
const half = 'package fares\n\nfunc half(j Journey\n'
const noBuild = (count: number): readonly string[] => [
  `after-attempt: ${count} of 8`,
  `confirm-failing: ${count} of 8`,
  'undone made-worse fares/half.go > example.com/timetable/fares',
]

testFixes('mdtest fix outlives its agent', [
  {
    title: 'hangs: what it left is undone where it does no good, and the next attempt fixes it',
    agent: 'claude',
    name: 'timetable-go',
    bugs: ['way-back'],
    attempts: ({ right }) => [
      { write: { 'fares/half.go': half }, end: { kind: 'silence' } },
      { write: { 'fares/fares.go': right('fares/fares.go') }, end: 'The way back had no zones.' },
    ],
    work: hangAndGoOn,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt broke-off fares/half.go', ...noBuild(1)],
        ...['resumed', ...failing(1, 14), 'attempt done fares/fares.go', ...passing(14)],
      ],
      changed: { 'fares/fares.go': right('fares/fares.go') },
    }),
  },
  {
    title: 'hangs in a command: what it left stays where it does no harm, and the next attempt fixes it',
    agent: 'codex',
    name: 'ledger-python',
    bugs: ['last-balance'],
    attempts: ({ right }) => [
      { write: { 'notes.md': 'Look at the balance.\n' }, ...wait },
      { write: { 'ledger/statement.py': right('ledger/statement.py') }, end: 'It had one balance.' },
    ],
    work: hangAndGoOn,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt broke-off notes.md started', 'after-attempt: 1 of 14'],
        ...['resumed', ...failing(1, 14), 'attempt done ledger/statement.py', ...passing(14)],
      ],
      changed: {
        'notes.md': 'Look at the balance.\n',
        started: '',
        'ledger/statement.py': right('ledger/statement.py'),
      },
    }),
  },
  {
    title: 'crashes when it has done its work: the tests say so',
    agent: 'codex',
    name: 'ledger-python',
    bugs: ['half-transfer'],
    attempts: ({ right }) => [
      { write: { 'ledger/transfers.py': right('ledger/transfers.py') }, end: { kind: 'drop' } },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [...failing(1, 14), 'attempt broke-off ledger/transfers.py', ...passing(14)],
      changed: { 'ledger/transfers.py': right('ledger/transfers.py') },
    }),
  },
  {
    title: 'crashes in the middle of its work, which is undone, and the second attempt fixes it',
    agent: 'claude',
    name: 'timetable-go',
    bugs: ['midnight'],
    attempts: ({ right }) => [
      { write: { 'fares/half.go': half }, end: { kind: 'error', status: 400, message: 'no such thing' } },
      { write: { 'clock/clock.go': right('clock/clock.go') }, end: 'Midnight was not passed.' },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(2, 14),
        ...['attempt broke-off fares/half.go', ...noBuild(3)],
        ...['prompt-written', 'attempt done clock/clock.go', ...passing(14)],
      ],
      changed: { 'clock/clock.go': right('clock/clock.go') },
    }),
  },
  {
    title: 'is killed: the next attempt fixes it',
    agent: 'claude',
    name: 'ledger-python',
    bugs: ['limit'],
    attempts: ({ right }) => [
      { write: { 'ledger/limits.py': 'LIMIT = 0\n' }, ...wait },
      { write: { 'ledger/accounts.py': right('ledger/accounts.py') }, end: 'All of it may be withdrawn.' },
    ],
    work: killAgent,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt broke-off ledger/limits.py started', 'after-attempt: 1 of 14'],
        ...['prompt-written', 'attempt done ledger/accounts.py', ...passing(14)],
      ],
      changed: { 'ledger/limits.py': 'LIMIT = 0\n', started: '', 'ledger/accounts.py': right('ledger/accounts.py') },
    }),
  },
  {
    title: 'is killed: what it had started is gone before anything goes on',
    agent: 'codex',
    name: 'timetable-go',
    bugs: ['night'],
    attempts: ({ right }) => [
      { write: { 'fares/half.go': half }, ...wait },
      { write: { 'fares/night.go': right('fares/night.go') }, end: 'The night began a minute late.' },
    ],
    work: killAgent,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt broke-off fares/half.go started', ...noBuild(1)],
        ...['prompt-written', 'attempt done fares/night.go', ...passing(14)],
      ],
      changed: { 'fares/night.go': right('fares/night.go') },
    }),
  },
])

/** Kills the CLI while a command of it runs. */
async function killAgent(session: FixSession): Promise<FixEnd> {
  const running = session.fix(...mayWait)
  await hasStarted(session)
  const agents = agentsIn(session.processes())
  const [first] = agents
  expect(first).toBeDefined()
  process.kill(first?.pid ?? 0, 'SIGKILL')
  const isJudged = (): boolean => session.state().history.some(({ kind }) => kind === 'attempt-made')
  expect(await happensWithin(100_000, isJudged)).toBe(true)
  const left = new Set(session.processes().map(({ pid }) => pid))
  expect(agents.filter(({ pid }) => left.has(pid))).toEqual([])
  return await running.ended
}

/** What an agent is, and what it has started; the first one is what mdtest has started. */
function agentsIn(all: readonly ProjectProcess[]): readonly ProjectProcess[] {
  const isAgent = ({ line }: ProjectProcess): boolean => line.includes('# Make failing tests pass')
  const ids = new Set(all.filter(isAgent).map(({ pid }) => pid))
  const root = all.find((each) => ids.has(each.pid) && !ids.has(each.parentPid))
  if (root === undefined) return []
  const found = [root]
  for (const { pid } of found) found.push(...all.filter(({ parentPid }) => parentPid === pid))
  return found
}

testFixes('mdtest fix is killed with its agent at work', [
  ...(['claude', 'codex'] as const).map((agent) => ({
    title: 'and comes to the same end with --resume',
    agent,
    name: agent === 'claude' ? ('ledger-python' as const) : ('cart-typescript' as const),
    bugs: agent === 'claude' ? ['half-transfer'] : ['lost-cent'],
    attempts: () => [{ write: { 'half.txt': 'half\n' }, remove: ['.gitignore'], ...wait }],
    work: async (session: FixSession): Promise<FixEnd> => {
      const running = session.fix(...mayWait)
      await hasStarted(session)
      const agents = agentsIn(session.processes())
      expect(agents.length).toBeGreaterThan(1)
      process.kill(running.pid ?? 0, 'SIGKILL')
      expect((await running.ended).exitCode).toBeUndefined()
      const state = session.state()
      expect(state).toMatchObject({ act: { kind: 'implement', checkpoint: 'attempt-1' }, result: null })
      expect(session.repository.files()).toMatchObject({ 'half.txt': 'half\n' })
      const file = agent === 'claude' ? 'ledger/transfers.py' : 'src/money.ts'
      session.plan([{ write: { [file]: session.repository.right(file) }, end: 'Done.' }])
      return await session.fix('--resume', state.session_id).ended
    },
    expected: ({ right }: FixSession['repository']) => {
      const [file, total] =
        agent === 'claude' ? (['ledger/transfers.py', 14] as const) : (['src/money.ts', 16] as const)
      return {
        exitCode: 0,
        result: 'success' as const,
        story: [...failing(1, total), `attempt done ${file}`, ...passing(total)],
        changed: { [file]: right(file) },
      }
    },
  })),
])
