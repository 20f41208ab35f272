import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { happensWithin, type ProjectProcess } from '../support/leftovers.ts'
import { mayWait, waits } from './fix-attempts.ts'
import type { FixEnd, FixSession, RunningFix } from './fix-session.ts'
import { failing, halfOfGo, passing, testFixes, undoneHalf, type FixCase } from './test-fixes.ts'

testFixes('mdtest fix, when its agent is killed,', [
  {
    title: 'goes on with the next attempt',
    agent: 'claude',
    name: 'ledger-python',
    bugs: ['limit'],
    attempts: ({ right }) => [
      { write: { 'ledger/limits.py': 'LIMIT = 0\n' }, ...waits },
      { write: { 'ledger/accounts.py': right('ledger/accounts.py') }, end: 'All of it may be withdrawn.' },
    ],
    work: killAgent,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt broke-off ledger/limits.py', 'after-attempt: 1 of 14'],
        ...['prompt-written', 'attempt done ledger/accounts.py', ...passing(14)],
      ],
      changed: { 'ledger/limits.py': 'LIMIT = 0\n', 'ledger/accounts.py': right('ledger/accounts.py') },
      leftOut: ['started'],
    }),
  },
  {
    title: 'undoes what was half done, and goes on',
    agent: 'codex',
    name: 'timetable-go',
    bugs: ['night'],
    attempts: ({ right }) => [
      { write: { 'fares/half.go': halfOfGo }, ...waits },
      { write: { 'fares/night.go': right('fares/night.go') }, end: 'The night began a minute late.' },
    ],
    work: killAgent,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt broke-off fares/half.go', ...undoneHalf(1)],
        ...['prompt-written', 'attempt done fares/night.go', ...passing(14)],
      ],
      changed: { 'fares/night.go': right('fares/night.go') },
      leftOut: ['started'],
    }),
  },
])

testFixes('mdtest fix, when it is killed itself,', [
  sameEnd(
    { agent: 'codex', name: 'cart-typescript', bugs: ['lost-cent'], title: 'takes its agent along, and' },
    { file: 'src/money.ts', total: 16, isLauncherKilled: false },
  ),
  sameEnd(
    { agent: 'claude', name: 'ledger-python', bugs: ['half-transfer'], title: 'with what would end its agent,' },
    { file: 'ledger/transfers.py', total: 14, isLauncherKilled: true },
  ),
])

interface Kill {
  /** The one that is wrong. */
  readonly file: string
  /** How many tests there are. */
  readonly total: number
  readonly isLauncherKilled: boolean
}

/** The end that it comes to with its second attempt where nobody kills it. */
function sameEnd(setup: Pick<FixCase, 'agent' | 'name' | 'bugs' | 'title'>, kill: Kill): FixCase {
  const { file, total } = kill
  return {
    ...setup,
    title: `${setup.title} comes to the same end with --resume`,
    attempts: () => [{ end: 'Found nothing.' }, { write: { 'half.txt': 'half\n' }, remove: ['.gitignore'], ...waits }],
    async work(session) {
      await killAtWork(session, kill)
      session.plan([{ write: { [file]: session.repository.right(file) }, end: 'Found it.' }])
      const end = await session.fix('--resume', session.state().session_id).ended
      // Nor does the agent go on from what it remembers of work that was undone.
      expect(JSON.stringify(session.model.requests.at(-1)?.body)).not.toContain('half.txt')
      return end
    },
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, total),
        ...['attempt no-change', `after-attempt: 1 of ${total}`],
        ...['prompt-written', `attempt done ${file}`, ...passing(total)],
      ],
      changed: { [file]: right(file) },
    }),
    look({ repository: { git } }) {
      const undone = git('for-each-ref', '--format=%(refname)', 'refs/mdtest/*/undone-*').trim()
      expect(git('show', `${undone}:half.txt`)).toBe('half\n')
    },
  }
}

async function killAtWork(session: FixSession, { isLauncherKilled }: Kill): Promise<void> {
  const { running, launcher } = await untilAgentWaits(session)
  if (isLauncherKilled) kill(launcher)
  kill(running.pid)
  expect((await running.ended).exitCode).toBeUndefined()
  expect(session.state()).toMatchObject({ act: { kind: 'implement', checkpoint: 'attempt-2' }, result: null })
  expect(session.has('lock')).toBe(true)
  expect(['half.txt', '.gitignore'].map((name) => existsSync(join(session.root, name)))).toEqual([true, false])
  if (!isLauncherKilled) expect(await session.leftovers()).toEqual([])
}

async function killAgent(session: FixSession): Promise<FixEnd> {
  const { running, agents } = await untilAgentWaits(session)
  kill(agents[0]?.pid)
  const isJudged = (): boolean => session.state().history.some(({ kind }) => kind === 'attempt-made')
  expect(await happensWithin(100_000, isJudged)).toBe(true)
  // What it had started might still change files, which are judged now.
  const left = new Set(session.processes().map(({ pid }) => pid))
  expect(agents.filter(({ pid }) => left.has(pid))).toEqual([])
  return await running.ended
}

/** In the middle of a call, in a command of its agent. */
async function untilAgentWaits(session: FixSession): Promise<{
  readonly running: RunningFix
  readonly launcher: number | undefined
  readonly agents: readonly ProjectProcess[]
}> {
  const running = session.fix(...mayWait)
  expect(await happensWithin(100_000, () => existsSync(join(session.root, 'started')))).toBe(true)
  const all = session.processes()
  const launcher = all.find(({ line }) => line.includes('launcher-main'))?.pid
  const agents = all.filter(({ parentPid }) => parentPid === launcher)
  // A list that grows is walked to its new end.
  for (const { pid } of agents) agents.push(...all.filter(({ parentPid }) => parentPid === pid))
  expect(agents.map(({ line }) => line)).toContainEqual(expect.stringContaining("writeFileSync('started'"))
  return { running, launcher, agents }
}

function kill(pid: number | undefined): void {
  // Without an id it would be all of us.
  if (pid === undefined) throw new Error('There is no process to be killed.')
  process.kill(pid, 'SIGKILL')
}
