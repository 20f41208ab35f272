import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readTestFiles, type ReportedTest } from '../support/json-report.ts'
import { reportClauses } from '../support/scripts/report-spec.ts'
import { copyOpenSpec, type Patch } from './openspec-cli.ts'
import { claude, codex, createRealProject, sampleOf, skipReason } from './real-project.ts'

/** Specs of the command of OpenSpec, in its own form. */
const fixture = fileURLToPath(new URL('../../fixtures/openspec-cli/', import.meta.url))
const found = await readdir(fixture, { recursive: true, withFileTypes: true })
const files = Object.fromEntries(
  await Promise.all(
    found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map(async (file) => [relative(fixture, file), await readFile(file, 'utf8')] as const),
  ),
)

/** Scenarios that fail, and their checks that are not met. */
type Red = Readonly<Record<string, readonly string[]>>

/** What is done to the command, and what has to be red then. */
const patches: readonly (Patch & { readonly change: string; readonly specs: string; readonly red: Red })[] = [
  {
    change: 'finds nothing wrong with a requirement without a scenario',
    specs: 'openspec/specs/validate',
    file: 'core/validation/validator.js',
    from: 'if (scenarioCount < 1)',
    to: 'if (false)',
    red: {
      'Validate One Item > Requirement without a scenario': [
        'it prints "must include at least one scenario"',
        'it exits with 1',
      ],
      'Validate All > Everything': ['what is right is told from what is not: it prints "Totals: 4 passed, 2 failed"'],
    },
  },
  {
    change: 'validates with exit code 0 whatever is wrong with an item',
    specs: 'openspec/specs/validate',
    file: 'commands/validate.js',
    from: 'process.exitCode = report.valid ? 0 : 1',
    to: 'process.exitCode = 0',
    red: {
      'Validate One Item > Requirement without a scenario': ['it exits with 1'],
      'Validate One Item > Short purpose': ['strictly taken the spec is not valid: it exits with 1'],
    },
  },
  {
    change: 'takes no added requirement into the specs',
    specs: 'openspec/specs/archive',
    file: 'core/specs-apply.js',
    from: 'nameToBlock.set(key, add);',
    to: '',
    red: {
      'Archive a Change > Completed change': [
        'its requirement is in the spec: when I run `openspec show cart`, it prints "SHALL take a coupon',
      ],
    },
  },
]

describe.skipIf(skipReason !== '').each(sampleOf([codex, claude]))(
  `the command of OpenSpec, tried by $title${skipReason}`,
  (product) => {
    test('does what its specs say', async () => {
      expect(await tryOut('openspec/specs')).toEqual({ scenarios: 20, red: {} })
    })

    test.each(sampleOf(patches))('fails where it $change, and nowhere else', async ({ red, specs, ...patch }) => {
      const { red: found } = await tryOut(specs, patch)
      expect(found).toEqual(red)
    })

    /** Carries out all scenarios of a folder. */
    async function tryOut(specs: string, patch?: Patch): Promise<{ readonly scenarios: number; readonly red: Red }> {
      await using command = await copyOpenSpec(patch)
      await using real = await createRealProject({ product, script: reportClauses, files })
      const PATH = `${command.bin}:${real.env.PATH}`
      // Codex gives its commands a login shell.
      await writeFile(join(real.env.HOME ?? '', '.profile'), `PATH='${PATH}'\n`)
      // Several codex that start at once take each other's sandbox away.
      const concurrency = product.agent === 'codex' ? 1 : 2
      const args = ['run', specs, '--agent', product.agent, `--concurrency=${concurrency}`, '--min-assurance=observed']
      const { stdout } = await real.mdtest([...args, '--reporter=json'], { PATH })
      expect(await real.leftovers()).toEqual([])
      const tests = readTestFiles(stdout).flatMap((each) => each.tests.map((one) => ({ ...one, file: each.file })))
      const failed = tests.filter(({ status }) => status !== 'passed')
      const unmet = failed.map(async (one) => [one.name, unmetIn(one, await readFile(one.file, 'utf8'))] as const)
      return { scenarios: tests.length, red: Object.fromEntries(await Promise.all(unmet)) }
    }
  },
)

/** Texts of the lines that the checks of a test are at, and the code of what else is wrong. */
function unmetIn({ codes, lines = [] }: ReportedTest, spec: string): readonly string[] {
  const clauses = spec.split('\n').map((line) => line.replace(/^- \*\*(?:THEN|AND)\*\* /, ''))
  return codes
    .map((code, index) => (code === 'CHECK_FAILED' ? (clauses[(lines[index] ?? 0) - 1] ?? code) : code))
    .filter((text) => text !== 'STEP_FAILED')
}
