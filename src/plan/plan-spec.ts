import { reportsSteps, specAgentNames } from '../agents/registry.ts'
import { hashBytes } from '../host/guard/hash-file.ts'
import { resolveSpecSettings, type CommandLine } from './options/spec-settings.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import { blocksBetweenProse, type ScenarioProblem } from '../spec/sections/blocks-between-prose.ts'
import { orderProblems } from '../spec/problems.ts'
import { parseSpec } from '../spec/parse-spec.ts'
import { type ParsedSpec, type SpecProblem, stepsOf, lineOf, type Scenario } from '../spec/spec.ts'
import type { Plan } from './plan.ts'
import { readIncludedIn } from './read-included.ts'

/** A spec ready to be run, or everything that is wrong with it. */
export type PlannedSpec = (
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly problems: readonly SpecProblem[] }
) &
  Pick<ParsedSpec, 'included'> & {
    /** Absolute paths of included files that cannot be read. */
    readonly missing: readonly string[]
  }

interface PlanInput {
  readonly file: string
  /** Absolute path of the suite root. */
  readonly root: string
  readonly options: ResolvedOptions
  readonly commandLine: CommandLine
  /**
   * What included files will hold, by absolute path, in place of what they hold.
   * @default none
   */
  readonly texts?: ReadonlyMap<string, string>
}

/** Parses a spec and applies the precedence of command line, front matter and options. */
export function planSpec(
  source: string | Uint8Array,
  { file, root, options, commandLine, texts }: PlanInput,
): PlannedSpec {
  const readIncluded = readIncludedIn(root)
  const asked = new Set<string>()
  const { spec, problems, included } = parseSpec(source, {
    file,
    readIncluded: (path) => {
      asked.add(path)
      return texts?.get(path) ?? readIncluded(path)
    },
    agentNames: specAgentNames,
    agentDefault: agentName(options.agent),
    ...(commandLine.agent !== undefined && { agentOverride: agentName(commandLine.agent) }),
  })
  const missing = [...asked].filter((path) => !included.has(path))
  const hasReports = reportsSteps(spec.agent)
  const unreported = spec.scenarios.flatMap((scenario) => [
    ...blocksBetweenProse(scenario, { hasReports }),
    ...(hasReports ? [] : limitsWithoutReports(scenario)),
  ])
  const all = [...problems, ...unreported.map((problem) => ({ file, ...problem }))]
  if (all.length > 0) return { ok: false, problems: orderProblems(all, file), included, missing }
  const sources = [[file, source] as const, ...included] // pairs, not lists
  const hashes = Object.fromEntries(sources.map(([path, text]) => [path, hashBytes(text)]))
  const settings = resolveSpecSettings(spec, options, commandLine)
  return { ok: true, included, missing, plan: { spec, settings, hashes } }
}

function agentName(agent: ResolvedOptions['agent']): string {
  return typeof agent === 'string' ? agent : 'command'
}

/** Steps whose `timeout` nobody could keep, because their agent carries out several in one go and reports none. */
function limitsWithoutReports(scenario: Scenario): readonly ScenarioProblem[] {
  const steps = stepsOf(scenario).filter(
    ({ actor, directives }) => actor === 'agent' && directives.skip === undefined && directives.todo !== true,
  )
  if (steps.length < 2) return []
  return steps
    .filter(({ directives }) => directives.timeoutMs !== undefined)
    .map((step) => ({ ...lineOf(step), column: step.column, ruleId: 'needs-reports', message }))
}

const message =
  'This step has a `timeout`, and its agent does not report while it works, so nobody would know when the step begins and ends. Limit the scenario with `timeout` in the front matter, or use an agent that reports.'
