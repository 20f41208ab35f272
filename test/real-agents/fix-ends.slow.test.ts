import { expect } from 'vitest'
import { mayWait, waits } from './fix-attempts.ts'
import type { FixEnd, FixSession } from './fix-session.ts'
import { failing, halfOfGo, passing, testFixes, undoneHalf } from './test-fixes.ts'

/** Ends with one attempt that hangs; a person lets it go on. */
async function hangAndGoOn(session: FixSession): Promise<FixEnd> {
  const halted = await session.fix('--max-attempts', '1', '--agent-silence-timeout', '15s', ...mayWait).ended
  expect([halted.exitCode, halted.report], halted.stderr).toMatchObject([1, { result: 'incomplete', attempts: 1 }])
  const halt = session.read('artifacts/halt.md')
  expect(halt).toContain('It broke off: The agent was silent for 15000 ms.')
  const command = /npx vitest-mdtest fix (--resume \S+ --max-attempts 2)/.exec(halt)?.[1]
  expect(await session.leftovers()).toEqual([])
  return await session.fix(...(command ?? '').split(' '), '--agent-silence-timeout', '5m').ended
}

testFixes('mdtest fix outlives its agent', [
  {
    title: 'hangs: what it left is undone where it does no good, and the next attempt fixes it',
    agent: 'claude',
    name: 'timetable-go',
    bugs: ['way-back'],
    attempts: ({ right }) => [
      { write: { 'fares/half.go': halfOfGo }, end: { kind: 'silence' } },
      { write: { 'fares/fares.go': right('fares/fares.go') }, end: 'The way back had no zones.' },
    ],
    work: hangAndGoOn,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt broke-off fares/half.go', ...undoneHalf(1)],
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
      { write: { 'notes.md': 'Look at the balance.\n' }, ...waits },
      { write: { 'ledger/statement.py': right('ledger/statement.py') }, end: 'It had one balance.' },
    ],
    work: hangAndGoOn,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt broke-off notes.md', 'after-attempt: 1 of 14'],
        ...['resumed', ...failing(1, 14), 'attempt done ledger/statement.py', ...passing(14)],
      ],
      changed: {
        'notes.md': 'Look at the balance.\n',
        'ledger/statement.py': right('ledger/statement.py'),
      },
      leftOut: ['started'],
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
      { write: { 'fares/half.go': halfOfGo }, end: { kind: 'error', status: 400, message: 'no such thing' } },
      { write: { 'clock/clock.go': right('clock/clock.go') }, end: 'Midnight was not passed.' },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(2, 14),
        ...['attempt broke-off fares/half.go', ...undoneHalf(3)],
        ...['prompt-written', 'attempt done clock/clock.go', ...passing(14)],
      ],
      changed: { 'clock/clock.go': right('clock/clock.go') },
    }),
  },
])
