import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { ResolvedOptions } from '../../plan/options/resolve-options.ts'
import { logFolder } from '../../records/folders/log-paths.ts'
import { readVerdicts } from '../../records/verdict/read-verdicts.ts'
import { formatProblems } from '../../spec/format-problems.ts'
import { planSpec } from '../../plan/plan-spec.ts'
import { estimateSpec } from './estimate.ts'
import { listSpec } from './list-spec.ts'
import type { BadSpec, ListedSpec } from './listed-spec.ts'
import { describeFileError } from '../../system/files/describe-file-error.ts'

interface ReadInput {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Whether to estimate what a run uses. */
  readonly cost: boolean
  /** Those that a run would have. */
  readonly options: ResolvedOptions
}

/** Plans specs, in the order given. */
export function readPlans(files: readonly string[], input: ReadInput): Promise<readonly (ListedSpec | BadSpec)[]> {
  return Promise.all(files.map((file) => readPlan(file, input)))
}

async function readPlan(file: string, { root, cost, options }: ReadInput): Promise<ListedSpec | BadSpec> {
  const name = relative(root, file)
  const bytes = await readFile(file).catch(describeFileError)
  if (typeof bytes === 'string') return { spec: file, problems: [], report: `${name} cannot be read: ${bytes}.` }
  const planned = planSpec(bytes, { file, root, options, commandLine: {} })
  if (!planned.ok) {
    const { problems, included } = planned
    const text = bytes.toString('utf8')
    return {
      spec: file,
      problems,
      report: `${name} has problems:\n${formatProblems(problems, { text, included, root })}`,
    }
  }
  const listed = listSpec(planned.plan)
  if (!cost) return listed
  const { dir } = options.logs
  const folder = logFolder({ specFile: file, root, ...(dir !== undefined && { dir }) })
  const estimate = estimateSpec(planned.plan, await readVerdicts(folder))
  return { ...listed, ...(estimate && { estimate }) }
}
