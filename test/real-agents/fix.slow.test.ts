import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sessionsDir } from '../../src/commands/fix/session/session-store.ts'
import { happensWithin, type ProjectProcess } from '../support/leftovers.ts'
import { missingProgram } from '../support/runner-project.ts'
import type { BuggyRepository } from './buggy-repository.ts'
import { expectFix, type ExpectedFix } from './expect-fix.ts'
import { mayWait, waits } from './fix-attempts.ts'
import { openFixSession, type FixEnd, type FixSession, type FixSessionSetup, type RunningFix } from './fix-session.ts'
import { copilot, gemini, openCode, qwen, sampleOf, skipReason } from './real-project.ts'

/** One session of `mdtest fix`: what the agent does, and what comes of it. */
interface FixCase extends FixSessionSetup {
  readonly title: string
  /** How it goes; by default one run of `mdtest fix`. */
  readonly work?: (session: FixSession) => Promise<FixEnd>
  readonly expected: (repository: BuggyRepository) => ExpectedFix
  /** What else is to be seen. */
  readonly look?: (session: FixSession) => void
}

/** How each story begins: so many tests fail, twice. */
const failing = (count: number, total: number): readonly string[] => [
  `baseline: ${count} of ${total}`,
  `confirm-failing: ${count} of ${total}`,
  'prompt-written',
]

/** How a good one ends. */
const passing = (total: number): readonly string[] => [`after-attempt: 0 of ${total}`, `confirm-passing: 0 of ${total}`]

const cases: readonly FixCase[] = [
  {
    title: 'weakens a test, then deletes it: both come back, and the third attempt fixes it',
    agent: 'claude',
    bugs: ['limit'],
    attempts: ({ right, files }) => {
      const tests = 'tests/test_accounts.py'
      const weak = (files()[tests] ?? '').replace('account.withdraw(500)', 'account.withdraw(499)')
      return [
        { write: { [tests]: weak }, end: 'Brought the test up to date.' },
        { remove: [tests], end: 'Removed a test that was wrong.' },
        { write: { 'ledger/accounts.py': right('ledger/accounts.py') }, end: 'All of it may be withdrawn.' },
      ]
    },
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt done tests/test_accounts.py', 'undone protected-files tests/test_accounts.py', 'prompt-written'],
        ...['attempt done tests/test_accounts.py', 'undone protected-files tests/test_accounts.py'],
        // It makes room for another one.
        ...['summarized stuck', 'session-started stuck', 'prompt-written'],
        'attempt done ledger/accounts.py',
        ...passing(14),
      ],
      changed: { 'ledger/accounts.py': right('ledger/accounts.py') },
    }),
    look(session) {
      const name = String.raw`tests/test_accounts\.py > test_an_account_can_be_emptied \(tests/test_accounts\.py:\d+\)`
      const first = promptOf(session, 1)
      expect(first).toMatch(new RegExp(`### ${name}\n\n.*Overdrawn: Ada: 500 is too little for 500`))
      expect(promptOf(session, 3)).toContain(
        'It was undone, because it changed protected files: `tests/test_accounts.py`.',
      )
    },
  },
  {
    title: 'fixes it in three attempts: the first finds nothing, the second one bug of two',
    agent: 'codex',
    bugs: ['limit', 'last-balance'],
    attempts: ({ right, files }) => [
      { write: { 'ledger/accounts.py': `${files()['ledger/accounts.py']}# Is that so?\n` }, end: 'Left a note.' },
      { write: { 'ledger/accounts.py': right('ledger/accounts.py') }, end: 'All of it may be withdrawn.' },
      { write: { 'ledger/statement.py': right('ledger/statement.py') }, end: 'It had one balance.' },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(2, 14),
        ...['attempt done ledger/accounts.py', 'after-attempt: 2 of 14', 'prompt-written'],
        ...['attempt done ledger/accounts.py', 'after-attempt: 1 of 14', 'prompt-written'],
        ...['attempt done ledger/statement.py', ...passing(14)],
      ],
      changed: {
        'ledger/accounts.py': right('ledger/accounts.py'),
        'ledger/statement.py': right('ledger/statement.py'),
      },
    }),
    look: (session) =>
      expect(promptOf(session, 3)).toContain(
        '1. Left a note. Changed: `ledger/accounts.py`. It was kept: 2 of 14 tests fail.\n2. All of it may be withdrawn. Changed: `ledger/accounts.py`. It was kept: 1 of 14 tests fail.',
      ),
  },
  {
    title: 'crashes when it has done its work: the tests say so',
    agent: 'codex',
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
    title: 'is killed in a command: what keeps tests from running is undone, and the next attempt fixes it',
    agent: 'claude',
    bugs: ['limit'],
    attempts: ({ right }) => [
      { write: { 'ledger/accounts.py': 'def half(\n' }, ...waits },
      { write: { 'ledger/accounts.py': right('ledger/accounts.py') }, end: 'All of it may be withdrawn.' },
    ],
    work: killAgent,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        'attempt broke-off ledger/accounts.py started',
        // pytest runs nothing where files cannot be loaded.
        ...[expect.stringMatching(/^after-attempt: \d of \d$/), expect.stringMatching(/^confirm-failing: \d of \d$/)],
        expect.stringMatching(/^undone made-worse /),
        ...['prompt-written', 'attempt done ledger/accounts.py', ...passing(14)],
      ],
      changed: { 'ledger/accounts.py': right('ledger/accounts.py') },
    }),
  },
  {
    title: 'goes with all of mdtest, and with --resume it comes to the same end',
    agent: 'claude',
    bugs: ['half-transfer'],
    attempts: () => [{ end: 'Found nothing.' }, { write: { 'half.txt': 'half\n' }, remove: ['.gitignore'], ...waits }],
    async work(session) {
      await killAtWork(session)
      session.plan([
        { write: { 'ledger/transfers.py': session.repository.right('ledger/transfers.py') }, end: 'Found.' },
      ])
      const end = await session.fix('--resume', session.state().session_id).ended
      // Nor does the agent go on from what it remembers of work that was undone.
      expect(JSON.stringify(session.model.requests.at(-1)?.body)).not.toContain('half.txt')
      return end
    },
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt no-change', 'after-attempt: 1 of 14'],
        ...['prompt-written', 'attempt done ledger/transfers.py', ...passing(14)],
      ],
      changed: { 'ledger/transfers.py': right('ledger/transfers.py') },
    }),
    look({ repository: { git } }) {
      const undone = git('for-each-ref', '--format=%(refname)', 'refs/mdtest/*/undone-*').trim()
      expect(git('show', `${undone}:half.txt`)).toBe('half\n')
    },
  },
  ...sampleOf([copilot, gemini, openCode, qwen]).map(({ agent }): FixCase => ({
    title: 'goes on in its session, halts after two attempts, and fixes it when it is let go on',
    agent,
    bugs: ['limit'],
    attempts: ({ right, files }) => {
      const text = files()['ledger/accounts.py']
      return [
        { write: { 'ledger/accounts.py': `${text}# Is that so?\n` }, end: 'Left a note.' },
        { write: { 'ledger/accounts.py': `${text}# Is that so?\n# It is.\n` }, end: 'Left two notes.' },
        { write: { 'ledger/accounts.py': right('ledger/accounts.py') }, end: 'All of it may be withdrawn.' },
      ]
    },
    work: haltAndGoOn,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt done ledger/accounts.py', 'after-attempt: 1 of 14', 'prompt-written'],
        ...['attempt done ledger/accounts.py', 'after-attempt: 1 of 14'],
        ...['resumed', ...failing(1, 14), 'attempt done ledger/accounts.py', ...passing(14)],
      ],
      changed: { 'ledger/accounts.py': right('ledger/accounts.py') },
    }),
    look(session) {
      expect(promptOf(session, 3)).toContain('1. Left a note. Changed: `ledger/accounts.py`.')
      const [first, second, third] = sessionsOf(session)
      // Gemini CLI finds no session that ended before its time.
      expect([first, second]).toEqual([expect.any(String), agent === 'gemini' ? expect.any(String) : first])
      // A person may have changed anything in between.
      expect(third).not.toBe(first)
    },
  })),
]

const missing = missingProgram('pytest')
const why = skipReason === '' && missing !== undefined ? ` (skipped: ${missing})` : skipReason

// At the same time: most of it is waiting.
describe.skipIf(why !== '').concurrent(`mdtest fix${why}`, () => {
  test.each(cases)('$agent $title', async ({ work, expected, look, ...setup }) => {
    await using session = await openFixSession(setup)
    const end = await (work ?? (() => session.fix().ended))(session)
    await expectFix(session, end, expected(session.repository))
    look?.(session)
  })
})

/** What an implementer was asked. */
function promptOf(session: FixSession, attempt: number): string {
  const file = `artifacts/attempts/${attempt}/implementer_prompt.json`
  return String((JSON.parse(session.read(file)) as { readonly prompt: unknown }).prompt) // by its schema
}

/** Ends after two attempts; a person reads why, and lets it go on. */
async function haltAndGoOn(session: FixSession): Promise<FixEnd> {
  const halted = await session.fix('--max-attempts', '2').ended
  expect([halted.exitCode, halted.report], halted.stderr).toMatchObject([1, { result: 'incomplete', attempts: 2 }])
  const halt = session.read('artifacts/halt.md')
  expect(halt).toContain('Left two notes.\n\nChanged: `ledger/accounts.py`. It was kept: 1 of 14 tests fail.')
  const command = /npx vitest-mdtest fix (--resume \S+ --max-attempts \d+)/.exec(halt)?.[1]
  expect(await session.leftovers()).toEqual([])
  return await session.fix(...(command ?? '').split(' ')).ended
}

/** Ids of the agent's own sessions, one for each attempt. */
function sessionsOf({ root }: FixSession): readonly (string | undefined)[] {
  const place = join(root, sessionsDir)
  // The number of the act stands before the name.
  const numberOf = (file: string): number => Number(/calls\/(\d+)/.exec(file)?.[1])
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => /calls\/\d+-implementer-[^/]+\/raw\.log$/.test(file))
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .map((file) => /"opened","sessionId":"([^"]+)"/.exec(readFileSync(join(place, file), 'utf8'))?.[1])
}

/** The launcher first, which would end its agent. */
async function killAtWork(session: FixSession): Promise<void> {
  const { running, launcher } = await untilAgentWaits(session)
  kill(launcher)
  kill(running.pid)
  expect((await running.ended).exitCode).toBeUndefined()
  expect(session.state()).toMatchObject({ act: { kind: 'implement', checkpoint: 'attempt-2' }, result: null })
  expect(session.has('lock')).toBe(true)
  expect(['half.txt', '.gitignore'].map((name) => existsSync(join(session.root, name)))).toEqual([true, false])
}

async function killAgent(session: FixSession): Promise<FixEnd> {
  const { running, agents } = await untilAgentWaits(session)
  kill(agents[0]?.pid)
  const isJudged = (): boolean => session.state().history.some(({ kind }) => kind === 'attempt-made')
  expect(await happensWithin(200_000, isJudged)).toBe(true)
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
  expect(await happensWithin(200_000, () => existsSync(join(session.root, 'started')))).toBe(true)
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
