import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { runnerNamed, runnerNames, runners, findRunnerInCommand, findRunner } from '../../src/test-runners/runners.ts'
import { leftByRunner } from '../support/left-by-runner.ts'

const repository = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8')

const recordSchema = z.strictObject({
  /** Files at the root of a project, by which the runner is found. */
  project: z.record(z.string(), z.string()),
  /** A command of such a project. */
  command: z.string(),
  /** What a run left of one test that passed, one that failed, `adds up to 4`, and one that was skipped. */
  left: z.record(z.string(), z.union([z.string(), z.looseObject({})])),
  stdout: z.string().default(''),
})

const hostile = [
  ...['--help', '-c', '-', '--', '-run=x', '--config=/etc/passwd', 'a b', 'a\nb', '; rm -rf .', '$(id)', '`id`', '\'"'],
  ...['@args', '*'],
]

test('names are used once, and a runner is known by its own', () => {
  expect(new Set(runnerNames).size).toBe(runners.length)
  expect(runners.map(({ name }) => runnerNamed(name))).toEqual(runners)
  const superseded = runners.flatMap(({ supersedes }) => supersedes ?? [])
  expect(runnerNames).toEqual(expect.arrayContaining(superseded))
})

describe.each(runners)('the registered runner $name', ({ name, template, buildCommand, readResults }) => {
  const record = recordSchema.parse(JSON.parse(read(`fixtures/runner-results/${name}.json`)))
  const request = { root: '/repo', resultsDir: '/results' }

  test('has a command for all, which no shell starts', () => {
    const { argv } = buildCommand({ ...request, run: { scope: 'all' } })
    expect(argv[0]).not.toMatch(/\s|(?:^|\/)(?:ba|z|da)?sh$/)
    expect(Object.values(template).filter((text) => text === '')).toEqual([])
  })

  test.each(['file', 'pattern'] as const)('no target of a %s becomes an option or a word of its own', (scope) => {
    const { argv: innocent } = buildCommand({ ...request, run: { scope, target: 'innocent' } })
    for (const target of hostile) {
      const { argv } = buildCommand({ ...request, run: { scope, target } })
      expect(argv.length, target).toBe(innocent.length)
      const options = argv.filter((word, index) => {
        const isAfterEnd = argv.slice(0, index).includes('--')
        return word !== innocent[index] && word.startsWith('-') && !isAfterEnd && !/^--?[\w-]+[=~]/.test(word)
      })
      expect(options, argv.join(' ')).toEqual([])
    }
  })

  test('reads what a run left: counts, what failed and where, what passed', async () => {
    const files = Object.entries(record.left).map(([path, left]) => [
      path,
      typeof left === 'string' ? left : JSON.stringify(left),
    ])
    const { counts, failingTests, passedTests } = await readResults(
      leftByRunner(Object.fromEntries(files), { stdout: record.stdout }),
    )
    expect(counts).toEqual({ total: 3, passed: 1, failed: 1, skipped: 1 })
    expect(failingTests).toHaveLength(1)
    expect(failingTests[0]).toMatchObject({ file: expect.stringMatching(/^[^/].*\.\w+$/), line: expect.any(Number) })
    expect(failingTests.map((failed) => letters(failed.name))).toEqual([expect.stringMatching(/addsupto4$/)])
    expect(passedTests?.map((passed) => letters(passed.name))).toEqual([expect.stringMatching(/adds$/)])
    expect(failingTests[0]?.message).not.toBe('')
  })

  test('makes nothing of nothing', async () => {
    const output = leftByRunner({}, { stdout: 'Segmentation fault\n', exitCode: null })
    expect(await readResults(output)).toEqual({ counts: null, failingTests: [] })
  })

  test('is found by the files of a project, and by a command', () => {
    const { root } = leftByRunner(
      Object.fromEntries(Object.entries(record.project).map(([path, text]) => [join('repo', path), text])),
    )
    expect(findRunner(root)).toEqual([name])
    const { command: text } = record
    const found = findRunnerInCommand({ text, argv: ['sh', '-c', text], scripts: {}, resultsDir: '/results' })
    expect(found?.runner.name).toBe(name)
    expect(found?.argv.at(-1)).toMatch(new RegExp(`^${text.replaceAll(/[.*+?]/g, '\\$&')}`))
  })

  test('is named in the docs', () => {
    expect(read('docs/runners.md')).toMatch(new RegExp(`^\\|.*\`${name}\``, 'm'))
  })
})

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
