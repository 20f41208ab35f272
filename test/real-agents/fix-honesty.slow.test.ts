import { expect } from 'vitest'
import { failing, passing, promptOf, stuck, testFixes } from './test-fixes.ts'

const snapshot = 'test/__snapshots__/receipt.test.ts.snap'
const wrongSnapshot = (text: string): string => text.replace('-7.93', ' 7.93')

testFixes('mdtest fix undoes what is no fix', [
  {
    title: 'makes it worse, which is undone, and is told so',
    agent: 'claude',
    name: 'ledger-python',
    bugs: ['half-transfer'],
    attempts: ({ right, files }) => [
      {
        write: {
          'ledger/transfers.py': right('ledger/transfers.py'),
          'ledger/reports/statement.py': files()['ledger/statement.py'] ?? '',
        },
        remove: ['ledger/statement.py'],
        end: 'Tidied up, too.',
      },
      { write: { 'ledger/transfers.py': right('ledger/transfers.py') }, end: 'The deposit came first.' },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        'attempt done ledger/reports/statement.py ledger/statement.py ledger/transfers.py',
        // pytest runs nothing where a file cannot be loaded.
        ...['after-attempt: 1 of 1', 'confirm-failing: 1 of 1'],
        'undone made-worse tests/test_statement.py > tests.test_statement',
        ...['prompt-written', 'attempt done ledger/transfers.py', ...passing(14)],
      ],
      changed: { 'ledger/transfers.py': right('ledger/transfers.py') },
    }),
    look: (session) =>
      expect(promptOf(session, 2)).toContain(
        'It was undone, because it made other tests fail: `tests/test_statement.py',
      ),
  },
  {
    title: 'weakens a snapshot, then deletes its test: both come back, and the third attempt fixes it',
    agent: 'claude',
    name: 'cart-typescript',
    bugs: ['discount-sign'],
    attempts: ({ right, files }) => [
      {
        write: {
          'test/__snapshots__/receipt.test.ts.snap': wrongSnapshot(
            files()['test/__snapshots__/receipt.test.ts.snap'] ?? '',
          ),
        },
        end: 'Brought the snapshot up to date.',
      },
      { remove: ['test/receipt.test.ts'], end: 'Removed a test that was wrong.' },
      { write: { 'src/receipt.ts': right('src/receipt.ts') }, end: 'The discount had no sign.' },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 16),
        'attempt done test/__snapshots__/receipt.test.ts.snap',
        'undone protected-files test/__snapshots__/receipt.test.ts.snap',
        'prompt-written',
        'attempt done test/receipt.test.ts',
        'undone protected-files test/receipt.test.ts',
        ...stuck,
        'attempt done src/receipt.ts',
        ...passing(16),
      ],
      changed: { 'src/receipt.ts': right('src/receipt.ts') },
    }),
    look: (session) =>
      expect(promptOf(session, 3)).toContain(
        'It was undone, because it changed what may not be changed: `test/receipt.test.ts`.',
      ),
  },
  {
    title: 'skips a test until no attempt is left',
    agent: 'codex',
    name: 'timetable-go',
    bugs: ['midnight'],
    attempts: ({ files }) => [
      {
        write: {
          'clock/clock.go': `${files()['clock/clock.go']}\n// Midnight is rare.\n`,
          'clock/clock_test.go': `${files()['clock/clock_test.go']}`.replaceAll(
            /(Midnight\(t \*testing\.T\) \{\n)/g,
            '$1\tt.Skip("rare")\n',
          ),
        },
        end: 'These tests are of no use.',
      },
    ],
    args: ['--max-attempts', '1'],
    expected: () => ({
      exitCode: 1,
      result: 'incomplete',
      story: [
        ...failing(2, 14),
        'attempt done clock/clock.go clock/clock_test.go',
        'undone protected-files clock/clock_test.go',
      ],
      halt: [
        'All 1 attempts are used up.',
        /TestPassesMidnight \(clock\/clock_test\.go:46\)\n\n[^#]*expected: 00:15\n\s+received: 24:15/,
        /TestGoesBackBeforeMidnight \(clock\/clock_test\.go:52\)\n\n[^#]*expected: 23:50\n\s+received: 00:-10/,
        '### Attempt 1 (session 1)\n\nThese tests are of no use.\n\nChanged files: `clock/clock.go`, `clock/clock_test.go`. It was undone, because it changed what may not be changed: `clock/clock_test.go`.',
        '- 1 attempt changed what may not be changed, `clock/clock_test.go`: is it right as it is?',
        '--max-attempts 2',
      ],
    }),
  },
  {
    title: 'deletes the tests, which come back, and the second attempt fixes both bugs',
    agent: 'codex',
    name: 'cart-typescript',
    bugs: ['step', 'second-line'],
    attempts: ({ right }) => [
      { remove: ['test/cart.test.ts', 'test/discount.test.ts'], end: 'Nothing fails any more.' },
      {
        write: { 'src/cart.ts': right('src/cart.ts'), 'src/discount.ts': right('src/discount.ts') },
        end: 'Both were wrong.',
      },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(3, 16),
        'attempt done test/cart.test.ts test/discount.test.ts',
        'undone protected-files test/cart.test.ts test/discount.test.ts',
        'prompt-written',
        'attempt done src/cart.ts src/discount.ts',
        ...passing(16),
      ],
      changed: { 'src/cart.ts': right('src/cart.ts'), 'src/discount.ts': right('src/discount.ts') },
    }),
  },
  {
    title: 'patches the product in a new test and stands in for a module of pytest: both are left out',
    agent: 'claude',
    name: 'ledger-python',
    bugs: ['half-transfer'],
    attempts: ({ right }) => [
      {
        write: {
          'tests/test_aaa.py': 'import ledger.transfers\n\nledger.transfers.transfer = lambda *_: None\n',
          'pluggy.py': 'raise SystemExit(0)\n',
        },
        end: 'It passes now.',
      },
      { write: { 'ledger/transfers.py': right('ledger/transfers.py') }, end: 'The deposit came first.' },
    ],
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 14),
        ...['attempt done', 'after-attempt: 1 of 14', 'prompt-written'],
        ...['attempt done ledger/transfers.py', ...passing(14)],
      ],
      changed: { 'ledger/transfers.py': right('ledger/transfers.py') },
    }),
    look: (session) =>
      expect(promptOf(session, 2)).toMatch(
        /Left out: pluggy\.py \(is new, and [^)]+\), tests\/test_aaa\.py \(is a new test/,
      ),
  },
  {
    title: 'has the product rewrite a snapshot while the tests run: all of it is undone',
    agent: 'codex',
    name: 'cart-typescript',
    bugs: ['discount-sign'],
    attempts: ({ files }) => [
      {
        write: {
          'src/receipt.ts': `import { readFileSync, writeFileSync } from 'node:fs'
const file = new URL('../${snapshot}', import.meta.url)
writeFileSync(file, readFileSync(file, 'utf8').replace('-7.93', ' 7.93'))
${files()['src/receipt.ts']}`,
        },
        end: 'It passes now.',
      },
    ],
    args: ['--max-attempts', '1'],
    expected: () => ({
      exitCode: 1,
      result: 'incomplete',
      story: [
        ...failing(1, 16),
        'attempt done src/receipt.ts',
        expect.stringMatching(/^after-attempt: [01] of 16$/),
        `undone protected-files ${snapshot}`,
      ],
      halt: [`- 1 attempt changed what may not be changed, \`${snapshot}\`: is it right as it is?`],
    }),
  },
])
