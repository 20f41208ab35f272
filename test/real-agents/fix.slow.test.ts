import { expect } from 'vitest'
import { failing, passing, promptOf, stuck, testFixes } from './test-fixes.ts'

testFixes('mdtest fix goes on until it is done', [
  {
    title: 'fixes it in one attempt',
    agent: 'claude',
    name: 'cart-typescript',
    bugs: ['lost-cent'],
    attempts: ({ right }) => [{ write: { 'src/money.ts': right('src/money.ts') }, end: 'It lost a cent.' }],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [...failing(1, 16), 'attempt done src/money.ts', ...passing(16)],
      changed: { 'src/money.ts': right('src/money.ts') },
    }),
    look(session) {
      const prompt = promptOf(session, 1)
      expect(prompt).toContain('### test/money.test.ts > shares add up to the amount (test/money.test.ts:21)')
      expect(prompt).toMatch(/expected: \[\s+334,\s+333,\s+333,\s+\]\n\s+received: \[\s+333,/)
    },
  },
  {
    title: 'fixes it in three attempts: the first finds nothing, the second one bug of two',
    agent: 'codex',
    name: 'timetable-go',
    bugs: ['way-back', 'night'],
    attempts: ({ right, files }) => [
      { write: { 'fares/night.go': `${files()['fares/night.go']}\n// Is that so?\n` }, end: 'Left a note.' },
      { write: { 'fares/night.go': right('fares/night.go') }, end: 'The night began a minute late.' },
      { write: { 'fares/fares.go': right('fares/fares.go') }, end: 'The way back had no zones.' },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(2, 14),
        ...['attempt done fares/night.go', 'after-attempt: 2 of 14', 'prompt-written'],
        ...['attempt done fares/night.go', 'after-attempt: 1 of 14', 'prompt-written'],
        ...['attempt done fares/fares.go', ...passing(14)],
      ],
      changed: { 'fares/night.go': right('fares/night.go'), 'fares/fares.go': right('fares/fares.go') },
    }),
    look: (session) =>
      expect(promptOf(session, 3)).toContain(
        '1. Left a note. Changed: `fares/night.go`. It was kept: 2 of 14 tests fail.\n2. The night began a minute late. Changed: `fares/night.go`. It was kept: 1 of 14 tests fail.',
      ),
  },
  {
    title: 'never fixes it, and a person is told what was tried',
    agent: 'codex',
    name: 'ledger-python',
    bugs: ['limit'],
    attempts: ({ files }) =>
      [1, 2, 3, 4, 5, 6].map((attempt) => ({
        write: { 'ledger/accounts.py': `${files()['ledger/accounts.py']}# Look ${attempt}.\n` },
        end: `Looked at it ${attempt} times.`,
      })),
    expected: ({ files }) => {
      const tried = ['attempt done ledger/accounts.py', 'after-attempt: 1 of 14']
      return {
        exitCode: 2,
        result: 'stalled',
        story: [
          ...failing(1, 14),
          ...[...tried, 'prompt-written', ...tried, ...stuck],
          ...[...tried, 'prompt-written', ...tried, ...stuck],
          ...[...tried, 'prompt-written', ...tried],
        ],
        changed: { 'ledger/accounts.py': files()['ledger/accounts.py'] ?? '' },
        halt: [
          '# it: stalled\n\n3 sessions in a row did not lower the number of failing tests.',
          '- Files that attempts changed: `ledger/accounts.py`.\n',
          /### tests\/test_accounts\.py > test_an_account_can_be_emptied \(tests\/test_accounts\.py:\d+\)\n\n.*Overdrawn: Ada: 500 is too little for 500/,
          ...[1, 2, 3, 4, 5, 6].map(
            (attempt) =>
              `### Attempt ${attempt} (session ${Math.ceil(attempt / 2)})\n\nLooked at it ${attempt} times.\n\nChanged files: \`ledger/accounts.py\`. It was kept: 1 of 14 tests fail.`,
          ),
        ],
      }
    },
    look(session) {
      expect(session.repository.files()['ledger/accounts.py']).toContain('# Look 6.\n')
      expect(promptOf(session, 3)).toContain('Look at it from the other side.')
    },
  },
])
