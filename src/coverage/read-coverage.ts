import { readFile } from 'node:fs/promises'
import { readOutcome } from '../records/outcomes/outcome-files.ts'
import { readSpec } from '../plan/read-spec.ts'
import { orderProblems } from '../spec/problems.ts'
import type { ParsedSpec } from '../spec/spec.ts'
import { pathIn } from '../system/files/paths.ts'
import { dialectOf, placesFrom } from '../plan/dialect-of.ts'
import { listSpecFiles, type ReadContext } from '../plan/spec-files.ts'
import { coverSpec, summarizeCoverage, type CoverageReport, type CoveredSpec } from './compute-coverage.ts'

type CoverageContext = Pick<ReadContext, 'root' | 'options'>

export async function readCoverageOf(context: CoverageContext, env: NodeJS.ProcessEnv): Promise<CoverageReport> {
  const { root, options } = context
  const include = [...options.include, ...placesFrom(root)]
  const files = await listSpecFiles({ root, options: { ...options, include }, commandLine: {}, env })
  const { specs } = await readCoverage(files.toSorted(), context)
  return { specs, summary: summarizeCoverage(specs) }
}

interface Coverage {
  readonly specs: readonly CoveredSpec[]
  readonly unread: readonly (Pick<ParsedSpec, 'problems' | 'included'> & {
    readonly file: string
    readonly text: string
  })[]
}

/** @param withChanges whether to include requirements of OpenSpec changes that are not implemented yet */
export async function readCoverage(
  files: readonly string[],
  { root, options }: CoverageContext,
  { withChanges = false }: { readonly withChanges?: boolean } = {},
): Promise<Coverage> {
  const { dir } = options.logs
  const specs: CoveredSpec[] = []
  const unread: Coverage['unread'][number][] = []
  for (const file of files) {
    const bytes = await readFile(file).catch(() => undefined)
    if (bytes === undefined) continue
    const text = bytes.toString('utf8')
    // Most specs have mdtest's own format, which has no requirements. Skip them without parsing.
    const isForeign = dialectOf(file, { root, dialects: options.dialects }) !== undefined
    if (!isForeign && !/^["']?dialect\b/m.test(text)) continue
    const { spec, problems, included } = readSpec(bytes, { file, root, options, commandLine: {} })
    if (spec.requirements === undefined || (spec.change !== undefined && !withChanges)) continue
    const place = { specFile: file, root, ...(dir !== undefined && { dir }) }
    if (problems.length > 0) unread.push({ file, text, problems: orderProblems(problems, file), included })
    else
      specs.push(coverSpec(spec, { path: pathIn(root, file), outcomeOf: (scenario) => readOutcome(place, scenario) }))
  }
  return { specs, unread }
}
