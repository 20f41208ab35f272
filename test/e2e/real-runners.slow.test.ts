import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConsoleCounts } from '../../src/test-runners/console-counts.ts'
import type { FailingTest, RunnerResults, TestCounts } from '../../src/test-runners/runner.ts'
import type { RunnerName } from '../../src/test-runners/runners.ts'
import { linkVitest } from '../support/fix-project.ts'
import { jest } from '../support/lane.ts'
import { missingProgram, openRunnerProject } from '../support/runner-project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface RealRunner {
  readonly name: RunnerName
  readonly missing?: string | undefined
  readonly packages?: string
  readonly all: Expected
  /** All tests are in this file; absent where they are in more of them. */
  readonly file?: string
  /** What stands for the broken file among the failed tests. */
  readonly broken: { readonly place: string; readonly message: RegExp }
}

interface Expected {
  readonly counts: TestCounts
  /** `FILE:LINE NAME`, then expected and received. */
  readonly failing: readonly (readonly [place: string, expected?: string, received?: string])[]
}

const counts = { total: 5, passed: 1, failed: 3, skipped: 1 }
const orders = (before: string, after = ''): readonly [string, string] => [
  `${before}{\n  "order": ${after}[\n    "b",\n    "a",\n  ],\n  "total": 3,\n}`,
  `${before}{\n  "order": ${after}[\n    "a",\n    "b",\n  ],\n  "total": 3,\n}`,
]

const realRunners: readonly RealRunner[] = [
  {
    name: 'vitest',
    all: {
      counts,
      failing: [
        ['sums.test.js:6 sums > adds up to 4', '4', '3'],
        ['sums.test.js:9 sums > keeps order', ...orders('')],
        ['sums.test.js:12 sums > throws'],
      ],
    },
    file: 'sums.test.js',
    broken: { place: 'broken.test.js:4 broken.test.js', message: /Parse failure|PARSE_ERROR/ },
  },
  {
    name: 'jest',
    missing: jest.unavailable,
    packages: join(root, 'test/lanes/jest/node_modules'),
    all: {
      counts,
      failing: [
        ['sums.test.js:4 sums > adds up to 4', '4', '3'],
        ['sums.test.js:7 sums > keeps order', ...orders('Object ', 'Array ')],
        ['sums.test.js:10 sums > throws'],
      ],
    },
    file: 'sums.test.js',
    broken: { place: 'broken.test.js:2 broken.test.js', message: /^SyntaxError: .*Unexpected token/ },
  },
  {
    name: 'playwright',
    packages: join(root, 'node_modules'),
    all: {
      counts,
      failing: [
        ['sums.spec.js:6 sums > adds up to 4', '4', '3'],
        ['sums.spec.js:9 sums > keeps order', ...orders('Object ', 'Array ')],
        ['sums.spec.js:12 sums > throws'],
      ],
    },
    file: 'sums.spec.js',
    broken: { place: 'broken.spec.js:4 broken.spec.js', message: /^SyntaxError: / },
  },
  {
    name: 'node',
    all: {
      counts,
      failing: [
        ['sums.test.js:7 sums > adds up to 4', '4', '3'],
        [
          'sums.test.js:10 sums > keeps order',
          "{ order: [ 'b', 'a' ], total: 3 }",
          "{ order: [ 'a', 'b' ], total: 3 }",
        ],
        ['sums.test.js:13 sums > throws'],
      ],
    },
    file: 'sums.test.js',
    broken: { place: 'broken.test.js:4 broken.test.js', message: /SyntaxError: Unexpected token/ },
  },
  {
    name: 'pytest',
    missing: missingProgram('pytest'),
    all: {
      counts: { total: 7, passed: 2, failed: 4, skipped: 1 },
      failing: [
        ['test_sums.py:10 TestSums::test_adds_up_to_4', '4', '3'],
        ['test_sums.py:14 TestSums::test_keeps_order', "{'order': ['b', 'a']}", "{'order': ['a', 'b']}"],
        ['test_sums.py:17 TestSums::test_raises'],
        ['test_sums.py:30 test_each[2]', '2', '3'],
      ],
    },
    file: 'test_sums.py',
    broken: { place: 'test_broken.py:2 test_broken.py', message: /SyntaxError: invalid syntax/ },
  },
  {
    name: 'go',
    missing: missingProgram('go'),
    all: {
      counts: { total: 6, passed: 2, failed: 3, skipped: 1 },
      failing: [
        ['panics/panics_test.go:7 TestPanics'],
        ['sums/sums_test.go:13 TestAddsUpTo4', '4', '3'],
        ['sums/sums_test.go:20 TestEach/two', '"b a"', '"a b"'],
      ],
    },
    broken: { place: 'broken/broken_test.go:6 example.com/sums/broken', message: /cannot use "three"/ },
  },
  {
    name: 'cargo',
    missing: missingProgram('cargo'),
    all: {
      counts: { total: 7, passed: 3, failed: 3, skipped: 1 },
      failing: [
        ['src/lib.rs:21 tests::adds_up_to_4', '4', '3'],
        ['tests/order.rs:3 keeps_order', '["b", "a"]', '["a", "b"]'],
        ['tests/order.rs:8 panics'],
      ],
    },
    broken: { place: 'tests/broken.rs:3 tests/broken.rs', message: /mismatched types/ },
  },
]

/** Compilers and several starts of programs, on a machine that does other things as well. */
const timeout = 300_000

for (const { name, missing, packages, all, file, broken } of realRunners) {
  describe.skipIf(missing !== undefined)(missing === undefined ? name : `${name} (left out: ${missing})`, () => {
    test(
      'tells counts and what failed, also how many by its console alone, and what cannot be compiled',
      { timeout },
      async () => {
        using project = openRunnerProject(name, packages)
        if (name === 'vitest') linkVitest((path) => join(project.root, path))
        const run = await project.run(file === undefined ? { scope: 'all' } : { scope: 'file', target: file })
        expect(summaryOf(run)).toEqual(sorted(all))
        expect(run.exitCode).not.toBe(0)
        // `go test -json` prints events.
        if (name !== 'go') expect(readConsoleCounts(run.printed)).toEqual(all.counts)

        // A pattern that would be an option.
        const none = await project.run({ scope: 'pattern', target: '--version' })
        expect(none.printed).not.toMatch(/^(?:pytest |cargo |Version )?v?\d+\.\d+\.\d+/m)
        expect(none.counts && none.counts.total - none.counts.skipped, none.printed).toBe(0)
        expect(none.failingTests).toEqual([])

        project.addBroken()
        const withBroken = await project.run({ scope: 'all' })
        expect(withBroken.counts?.failed).toBe(withBroken.failingTests.length)
        const found = withBroken.failingTests.find((failing) => placeOf(failing) === broken.place)
        expect(found?.message, JSON.stringify(withBroken)).toMatch(broken.message)
      },
    )
  })
}

/** Runners begin with one test or another. */
function sorted({ counts: expected, failing }: Expected): Expected {
  return { counts: expected, failing: failing.toSorted() }
}

function summaryOf({ counts: found, failingTests }: RunnerResults): unknown {
  return {
    counts: found,
    failing: failingTests
      .map((failing) => [
        placeOf(failing),
        ...[failing.expected, failing.received].filter((side) => side !== undefined),
      ])
      .toSorted(),
  }
}

/** What the console tells as well, though names are without their suite in some. */
function placeOf({ file, line, name }: FailingTest): string {
  return `${file}:${line} ${name}`
}
