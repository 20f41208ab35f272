import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Reporter, TestProject, TestSpecification, Vitest } from 'vitest/node'
import type { SpecsConfig } from '../../../plan/specs-config.ts'
import { hasSpecEnding } from '../../../system/spec-endings.ts'
import { didYouMean } from '../../../system/text/did-you-mean.ts'
import { selectLines, startOf } from '../../private-api/untyped-members.ts'
import { printLine } from './print-line.ts'

/** Makes `vitest run a.test.md:18` accept any line of a step. Also reports files that Vitest silently ignores. */
export function linesReporter(project: TestProject, specsConfig: SpecsConfig): Reporter {
  const { vitest } = project
  return {
    async onTestRunStart(specifications) {
      // `mdtest run` has already checked its files.
      const unmatched = specsConfig.files === undefined ? await unmatchedFiles(vitest) : []
      if (unmatched.length > 0) printLine(vitest, unmatched.join('\n'))
      for (const specification of specifications) {
        const lines = specification.project === project ? specification.testLines : undefined
        if (!lines || lines.length === 0) continue
        const { found, problems } = await headingsAt(specification, lines, { root: vitest.config.root, specsConfig })
        selectLines(specification, [...new Set(found)])
        if (problems.length > 0) printLine(vitest, problems.join('\n'))
      }
    },
  }
}

async function unmatchedFiles(vitest: Vitest): Promise<readonly string[]> {
  // Check only names without a line, because Vitest itself reports a missing `file:line`.
  const names = startOf(vitest).files.filter(hasSpecEnding)
  const found = await Promise.all(
    names.map(async (name) => {
      if ((await vitest.globTestSpecifications([name])).length > 0) return []
      const all = await vitest.globTestSpecifications()
      const known = all.map(({ moduleId }) => relative(vitest.config.root, moduleId))
      return `mdtest: No test file matches ${name}, so nothing of it was run.${didYouMean(name, known)}`
    }),
  )
  return found.flat()
}

/** Maps lines to headings. A line outside of all steps stays, so that Vitest reports that it has no test. */
async function headingsAt(
  { moduleId }: TestSpecification,
  lines: readonly number[],
  { root, specsConfig }: { readonly root: string; readonly specsConfig: SpecsConfig },
): Promise<{ readonly found: readonly number[]; readonly problems: readonly string[] }> {
  const bytes = await readFile(moduleId).catch(() => undefined)
  // Vitest itself reports an unreadable file later.
  if (bytes === undefined) return { found: lines, problems: [] }
  // Loaded here because the parser is large and most runs select nothing by line.
  const { readSpec } = await import('../../../plan/read-spec.ts')
  const { headingLineAt, nearestStep } = await import('../../../plan/heading-line.ts')
  const { spec } = readSpec(bytes, { file: moduleId, root, ...specsConfig })
  const name = relative(root, moduleId)
  const problems = lines
    .filter((line) => headingLineAt(spec, line) === undefined)
    .map((line) => {
      const nearest = nearestStep(spec, line)
      const hint = nearest && ` The nearest is "${nearest.title}": ${name}:${nearest.line}.`
      return `mdtest: No step is at line ${line} of ${name}.${hint ?? ''}`
    })
  return { found: lines.map((line) => headingLineAt(spec, line) ?? line), problems }
}
