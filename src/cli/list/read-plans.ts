import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { ResolvedOptions } from '../../options/resolve-options.ts'
import { logFolder } from '../../result-log/log-paths.ts'
import { readVerdicts } from '../../result-log/read-verdicts.ts'
import { MdtestError } from '../../shared/mdtest-error.ts'
import { plainText } from '../../shared/plain-text.ts'
import { formatProblems } from '../../spec/format-problems.ts'
import { planSpec } from '../../suite/plan-spec.ts'
import { SetUpError } from '../set-up-error.ts'
import { estimateSpec } from './estimate.ts'
import { listSpec } from './list-spec.ts'
import type { BadSpec, ListedSpec } from './listed-spec.ts'

interface ReadInput {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Whether to estimate what a run uses. */
  readonly cost: boolean
}

/**
 * Plans specs with the options that a run would have, in the order given.
 * @throws {SetUpError} if the configuration cannot be loaded.
 */
export async function readPlans(
  files: readonly string[],
  { root, cost }: ReadInput,
): Promise<readonly (ListedSpec | BadSpec)[]> {
  const options = await optionsFor(root)
  return Promise.all(files.map((file) => readPlan(file, { root, cost, options })))
}

async function optionsFor(root: string): Promise<ResolvedOptions> {
  // Vitest is large; `mdtest list --help` needs none of it.
  const { loadOptions } = await import('../../vitest/load-options.ts')
  try {
    return await loadOptions(root)
  } catch (error: unknown) {
    if (error instanceof MdtestError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new SetUpError(`The Vitest configuration of ${root} cannot be loaded: ${plainText(why)}`)
  }
}

async function readPlan(
  file: string,
  { root, cost, options }: ReadInput & { readonly options: ResolvedOptions },
): Promise<ListedSpec | BadSpec> {
  const name = relative(root, file)
  const bytes = await readFile(file).catch(() => undefined)
  if (bytes === undefined)
    return { spec: file, problems: [], report: `${name} cannot be read, or it is a link to no file.` }
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
