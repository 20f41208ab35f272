import { readFile } from 'node:fs/promises'
import { readOutcome } from '../records/outcomes/outcome-files.ts'
import { readSpec } from '../plan/read-spec.ts'
import type { ResolvedOptions } from '../plan/options/resolve-options.ts'
import { orderProblems } from '../spec/problems.ts'
import type { SpecProblem } from '../spec/spec.ts'
import { pathIn } from '../system/files/paths.ts'
import { dialectOf, placesFrom } from '../plan/dialect-of.ts'
import { listSpecFiles } from '../plan/spec-files.ts'
import { coverSpec, summarizeCoverage, type CoverageReport, type CoveredSpec } from './coverage.ts'

/** What is proved of all requirements below a root. */
export async function readCoverageOf(context: CoverageContext, env: NodeJS.ProcessEnv): Promise<CoverageReport> {
  const { root, options } = context
  const include = [...options.include, ...placesFrom(root)]
  const files = await listSpecFiles({ root, options: { ...options, include }, commandLine: {}, env })
  const { specs } = await readCoverage(files.toSorted(), context)
  return { specs, summary: summarizeCoverage(specs) }
}

interface CoverageContext {
  readonly root: string
  readonly options: ResolvedOptions
}

/** A spec whose requirements cannot be told. */
export interface UnreadSpec {
  readonly file: string
  readonly text: string
  readonly problems: readonly SpecProblem[]
  readonly included: ReadonlyMap<string, string>
}

/** What is known of the requirements of specs. */
export interface Coverage {
  /** Those that have requirements, in the order given. */
  readonly specs: readonly CoveredSpec[]
  /** Those that have problems. */
  readonly unread: readonly UnreadSpec[]
}

/**
 * Reads specs, and what became of their scenarios last. Changes nothing.
 *
 * @param files absolute paths; those that cannot be read are left out
 * @param withChanges whether what is to come counts: requirements of changes of OpenSpec
 */
export async function readCoverage(
  files: readonly string[],
  { root, options }: CoverageContext,
  { withChanges = false }: { readonly withChanges?: boolean } = {},
): Promise<Coverage> {
  const specs: CoveredSpec[] = []
  const unread: UnreadSpec[] = []
  for (const file of files) {
    const bytes = await readFile(file).catch(() => undefined)
    if (bytes === undefined || !mayAsk(file, bytes, { root, options })) continue
    const { spec, problems, included } = readSpec(bytes, { file, root, options, commandLine: {} })
    if (spec.requirements === undefined || (spec.change !== undefined && !withChanges)) continue
    if (problems.length > 0)
      unread.push({ file, text: bytes.toString('utf8'), problems: orderProblems(problems, file), included })
    else {
      const { dir } = options.logs
      const place = { specFile: file, root, ...(dir !== undefined && { dir }) }
      specs.push(coverSpec(spec, { path: pathIn(root, file), outcomeOf: (scenario) => readOutcome(place, scenario) }))
    }
  }
  return { specs, unread }
}

/** Documents of mdtest's own ask for nothing, and most projects have no others: they are not parsed. */
function mayAsk(file: string, bytes: Buffer, { root, options: { dialects } }: CoverageContext): boolean {
  return dialectOf(file, { root, dialects }) !== undefined || /^["']?dialect\b/m.test(bytes.toString('utf8'))
}
