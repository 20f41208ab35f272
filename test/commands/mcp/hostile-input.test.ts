import { symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseRunTestInput } from '../../../src/commands/mcp/run-test-input.ts'
import type { RunScope } from '../../../src/test-runners/runner.ts'
import { runnerNamed, runnerNames, type RunnerName } from '../../../src/test-runners/runners.ts'
import { MdtestError } from '../../../src/system/mdtest-error.ts'
import { checkPath, checkScope } from '../../../src/test-runners/run/check-scope.ts'
import fc, { anyCharacter } from '../../support/fast-check.ts'
import { hostileViteName } from '../../support/hostile-name.ts'
import { useFolders } from '../../host/use-folder.ts'

/** Files that are there, named to do harm where a name is not taken for a name. */
const names = [
  ...['a.test.js', 'a b; touch owned.test.js', '$(touch owned).test.js', '`touch owned`.test.js', 'x&&y|z>w.test.js'],
  ...['--watch.test.js', '-e', '@file.test.js', '[a-z]*.test.js', 'it\'s "quoted".test.js', 'a_test.go', 'test_a.py'],
  ...['tests/a.rs', 'src/test/java/a/ATest.java', 'é.test.js', 'sub/--config=x/a.test.js'],
]
/** Where no run may lead. */
const outside = [
  ...['../x', '/etc/passwd', 'out/x', '.git/config', 'C:\\x', '\\\\h\\s', '..\\x', './../x', '~/x', '.GIT/config'],
]

const word = fc.oneof(
  fc.constantFrom(...names),
  fc.constantFrom(...outside),
  fc.constantFrom(...names).map((name) => `./sub/../${name}`),
  fc.string({ unit: anyCharacter }),
  fc
    .tuple(fc.constantFrom('-', '--', '../', '/', '\0', ' ', '$(', ';', '\n', '@', '%', '='), fc.string())
    .map((parts) => parts.join('')),
)
const knownFields = fc.record(
  {
    runner: fc.oneof({ weight: 9, arbitrary: fc.constantFrom<string>(...runnerNames) }, fc.string()),
    scope: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('all', 'file', 'file', 'pattern') }, fc.anything()),
    target: fc.oneof({ weight: 9, arbitrary: word }, fc.anything()),
    timeout_ms: fc.oneof({ weight: 9, arbitrary: fc.constant(1000) }, fc.anything()),
    no_output_timeout_ms: fc.constant(1000),
    max_output_bytes: fc.constant(2000),
    report_dir: word,
  },
  { requiredKeys: ['runner', 'scope', 'timeout_ms', 'no_output_timeout_ms', 'max_output_bytes'] },
)
const hostileInput = fc.oneof(
  { weight: 9, arbitrary: knownFields },
  {
    weight: 1,
    arbitrary: fc
      .tuple(knownFields, fc.dictionary(fc.string(), fc.anything()))
      .map(([known, more]) => ({ ...more, ...known })),
  },
)

const newFolder = useFolders()

test('no hostile input leads to another command than that of a harmless one, or out of the repository', async () => {
  const folder = newFolder()
  const root = folder.at(hostileViteName)
  await folder.write(Object.fromEntries(['.git/HEAD', ...names].map((name) => [`${hostileViteName}/${name}`, ''])))
  symlinkSync('/tmp', join(root, 'out'))
  const seen = { refused: 0, taken: 0 }
  await fc.assert(
    fc.asyncProperty(hostileInput, async (input) => {
      const taken = await take(input, root)
      if (taken === undefined) return void (seen.refused += 1)
      seen.taken += 1
      const { runner, run, reportDir } = taken
      if (run.scope === 'file') expectInside(root, run.target)
      if (reportDir !== undefined) expectInside(root, reportDir)
      if (run.scope !== 'all') expectSameShape(runner, run, root)
    }),
  )
  // Both kinds were tried.
  expect(seen.refused).toBeGreaterThan(0)
  expect(seen.taken).toBeGreaterThan(0)
})

interface Taken {
  readonly runner: RunnerName
  readonly run: RunScope
  readonly reportDir: string | undefined
}

async function take(input: unknown, root: string): Promise<Taken | undefined> {
  try {
    const { runner, asked, reportDir } = parseRunTestInput(input)
    if (asked.scope === 'failed' || asked.scope === 'changed') return undefined
    const dir = reportDir === undefined ? undefined : checkPath({ name: 'report_dir', path: reportDir }, root)
    return { runner, run: checkScope(asked, root), reportDir: dir }
  } catch (error: unknown) {
    // Whatever is refused is refused in words, with a way out.
    expect(error).toBeInstanceOf(MdtestError)
    return undefined
  }
}

function expectInside(root: string, path: string): void {
  const inside = relative(root, resolve(root, path))
  expect(inside).not.toMatch(/^(\.\.|\/|\.git(\/|$)|out(\/|$))/i)
}

/** The same words, but for those that hold the target; the program and the options are those of the template. */
function expectSameShape(runner: RunnerName, run: Exclude<RunScope, { scope: 'all' }>, root: string): void {
  const extension = /\.[^./]+$/.exec(run.target)?.[0] ?? ''
  const harmless = run.scope === 'file' ? `${dirname(run.target)}/harmless${extension}` : 'harmless'
  const build = (target: string): readonly string[] =>
    runnerNamed(runner).buildCommand({ run: { ...run, target }, resultsDir: '/results', root }).argv
  const [argv, wanted] = [build(run.target), build(harmless)]
  expect(argv.length).toBe(wanted.length)
  for (const [index, word] of argv.entries()) {
    const other = wanted[index] ?? ''
    if (word === other) continue
    // What differs is the target: an option keeps its name, and no target becomes one.
    const option = /^--?[\w-]+(?=[=:])/.exec(other)?.[0] ?? ''
    expect(word.startsWith(option)).toBe(true)
    if (option === '') expect(word).not.toMatch(/^-/)
  }
}
