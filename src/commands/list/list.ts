import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { resolveOptions } from '../../plan/options/option-defaults.ts'
import { repeatsIn, type SpecSettings } from '../../plan/options/spec-settings.ts'
import type { Plan } from '../../plan/plan.ts'
import { planSpec } from '../../plan/plan-spec.ts'
import { openStates, readLastReads } from '../../plan/rests-on/last-reads.ts'
import { readRestsOn, type RestsOn } from '../../plan/rests-on/rests-on.ts'
import { whyStale } from '../../plan/recordings/replay.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import type { Assurance } from '../../records/outcome.ts'
import { agentStepsOf, planBlocks, type PlannedBlocks } from '../../scenario/plan-blocks.ts'
import type { AfterFailure, Repeats } from '../../spec/front-matter/front-matter.ts'
import { formatProblems } from '../../spec/problems.ts'
import { isLeftOut, lineOf } from '../../spec/spec.ts'
import type { Block, Directives, Group, Hook, Scenario, SpecLine, SpecProblem, Step } from '../../spec/spec.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { pathIn, statsOf } from '../../system/files/paths.ts'
import { plainJson, plainLine, plainText } from '../../system/text/plain-text.ts'
import { formatDuration, plural } from '../../system/text/wording.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { askedSpecs, refuseLines } from '../common/find-specs.ts'
import { exitCodes } from '../common/cli.ts'
import { command, type CommandSyntax, flag } from '../common/define-command.ts'
import { agentFlag, changeFlag, includeFlag, suiteRootFlag } from '../common/flags.ts'
import { createPalette, hasColors, indent, type Style } from '../common/styled-text.ts'
import { suiteOptions, suiteRoot } from '../common/suite.ts'

export const listSyntax = {
  command: 'list',
  usage: ['[specs…] [options]'],
  about: `Prints the plan of specs (*.test.md, with --agent browser *.md) without running anything: scenarios and steps
with their lines, and who acts: [agent], [sh], [console], [ts], [js], [file], or nobody: [todo], [skip]. Without
arguments it lists all specs.`,
  flags: {
    agent: agentFlag,
    dir: suiteRootFlag,
    include: includeFlag,
    change: changeFlag,
    why: flag('--why', 'list the files that each spec depends on, as used by `--changed`'),
    json: flag('--json', 'print JSON'),
  },
  examples: ['', 'shop.test.md --json', '--why'],
  exitCodes:
    '0 done, 1 a spec is invalid or cannot be read, 2 a spec does not exist, or the configuration cannot be loaded.',
} satisfies CommandSyntax

export const list = command(listSyntax, async (given, cli) => {
  const { cwd, env, stdout, stderr } = cli
  const root = await suiteRoot(given.dir, cwd)
  let cacheDir = ''
  const options = await suiteOptions(root, (folder) => (cacheDir = folder))
  if (given.change === undefined) refuseLines(given.paths, 'list')
  const specs = await askedSpecs(given, { root, options, cwd, stderr })
  const config = { options, commandLine: withoutUndefined({ agent: given.agent, change: given.change }) }
  const [last, stateOf] = [given.why ? readLastReads(cacheDir) : {}, openStates(root)]
  const read = async (file: string): Promise<(ListedSpec & { readonly restsOn?: RestsOn }) | BadSpec> => {
    const plan = await readPlan(file, { root, ...config })
    if (!given.why || 'report' in plan) return plan
    return { ...plan, restsOn: await readRestsOn(file, { root, ...config, last: last[pathIn(root, file)], stateOf }) }
  }
  const plans = await Promise.all(specs.map(({ file }) => read(file)))
  const bad = plans.filter((plan) => 'report' in plan)
  if (given.json) stdout.write(`${plainJson(JSON.stringify(plans, undefined, 2))}\n`)
  else {
    const style = { cwd, palette: createPalette(hasColors(stdout, env)) }
    const good = plans.flatMap((plan) =>
      'report' in plan ? [] : [formatSpec(plan, style) + formatRests(plan.restsOn, cwd)],
    )
    stdout.write(good.join('\n'))
    for (const { report } of bad) stderr.write(`mdtest: ${plainText(report)}\n`)
  }
  return exitCodes.list[bad.length > 0 ? 'problems' : 'done']
})

interface BadSpec {
  readonly spec: string
  readonly problems: readonly SpecProblem[]
  readonly report: string
}

async function readPlan(
  file: string,
  context: Pick<SpecsConfig, 'options' | 'commandLine'> & { readonly root: string },
): Promise<ListedSpec | BadSpec> {
  const { root } = context
  const name = relative(root, file)
  const bytes = await readFile(file).catch(describeFileError)
  if (typeof bytes === 'string') return { spec: file, problems: [], report: `${name} cannot be read: ${bytes}.` }
  const planned = planSpec(bytes, { file, ...context })
  if (planned.ok) return listSpec(planned.plan, planned.replaysOf)
  const { problems, included } = planned
  const report = `${name} has problems:\n${formatProblems(problems, { text: bytes.toString('utf8'), included, root })}`
  return { spec: file, problems, report }
}

function formatRests(rests: RestsOn | undefined, cwd: string): string {
  if (rests === undefined) return ''
  const { files, watch, opaque } = rests
  const there = files.filter((file) => statsOf(file)?.isFile())
  const named = [...there.map((file) => relative(cwd, file)), ...watch].map(plainLine).join(', ')
  return `  rests on ${named}${opaque === undefined ? '' : `, and may rest on any other, because ${plainLine(opaque)}`}\n`
}

export function formatSpec(listed: ListedSpec, style: Style): string {
  const { bold, dim } = style.palette
  const lines = [
    `${bold(plainLine(relative(style.cwd, listed.spec)))} ${dim(settingsOf(listed).join(', '))}`,
    ...indent(listed.scenarios.flatMap((scenario) => formatHeading(scenario, style))),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function settingsOf({ agent, tags, requires, sideEffects, limits, executor, sandbox }: ListedSpec): readonly string[] {
  const { hardTimeoutMs, silenceTimeoutMs, blockTimeoutMs, maxCostUsd, maxTokens, minAssurance } = limits
  return [
    `agent ${agent}`,
    ...namedList('tags', tags),
    ...namedList('requires', requires),
    ...(sideEffects ? ['side effects'] : []),
    ...named('timeout', hardTimeoutMs && formatDuration(hardTimeoutMs)),
    ...named('silence-timeout', silenceTimeoutMs && formatDuration(silenceTimeoutMs)),
    ...named('block timeout', blockTimeoutMs && formatDuration(blockTimeoutMs)),
    ...named('max-cost-usd', maxCostUsd),
    ...named('max-tokens', maxTokens),
    ...named('min-assurance', minAssurance),
    ...named('executor', executor === 'auto' ? undefined : executor),
    ...named('sandbox', sandbox === 'auto' ? undefined : sandbox),
  ]
}

type Heading = ListedHeading & Partial<ListedScenario>

function formatHeading(heading: Heading, style: Style): readonly string[] {
  const { cwd, palette } = style
  const { file, line, skip, setup, children = [], teardown, groups = [] } = heading
  const title = [...groups, heading].map((each) => each.title).join(' > ')
  const by = heading.by ?? (skip === undefined ? [] : ['skip' as const])
  const place = `${file === undefined ? '' : plainLine(relative(cwd, file))}:${line}`
  const marks = marksOf(heading)
  const { yellow, green, dim } = palette
  const paintOf = (actor: Actor) => (actor === 'agent' ? yellow : actor === 'todo' || actor === 'skip' ? dim : green)
  const actors = by.map((actor) => paintOf(actor)(`[${actor}]`))
  const told = [plainLine(title), ...actors, ...(marks.length > 0 ? [marks.join(', ')] : []), dim(place)]
  const below = [...(setup ? [setup] : []), ...children, ...(teardown ? [teardown] : [])]
  return [told.join(' '), ...indent(below.flatMap((each) => formatHeading(each, style)))]
}

function marksOf({ checks = 0, recording, skip, only, fails, retry, ...more }: Heading): readonly string[] {
  const { repeats, change, tags = [], timeoutMs } = more
  return [
    ...(checks > 0 ? [plural(checks, 'check')] : []),
    ...(recording ? [recording.state === 'stale' ? `stale (${plainLine(recording.why)})` : recording.state] : []),
    ...(skip ? [plainLine(skip)] : []),
    ...(only ? ['only'] : []),
    ...(fails ? ['fails'] : []),
    ...named('retry', retry),
    ...(repeats ? [`repeats ${repeats.runs} require ${repeats.required}`] : []),
    ...named('change', change && plainLine(change)),
    ...namedList('tags', tags),
    ...named('timeout', timeoutMs && formatDuration(timeoutMs)),
  ]
}

function named(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`${name} ${value}`]
}

function namedList(name: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [`${name} ${values.map(plainLine).join(' ')}`]
}

/** Who carries out a part of a step: the agent, mdtest (the kind of its block), or nobody (`todo`, `skip`). */
type Actor = 'agent' | 'console' | 'sh' | 'ts' | 'js' | 'browser' | 'file' | 'todo' | 'skip'

export interface ListedHeading extends SpecLine, Pick<Directives, 'only' | 'fails' | 'retry' | 'tags' | 'timeoutMs'> {
  readonly kind?: 'group' | 'step'
  readonly id?: string
  readonly title: string
  /** Why the step is skipped; an empty string if there is no reason. */
  readonly skip?: string
  readonly by?: readonly Actor[]
  readonly checks?: number
  readonly recording?: (typeof recordings)[keyof typeof recordings]
  readonly children?: readonly ListedHeading[]
}

interface ListedScenario extends ListedHeading {
  /** Headings above the scenario, outermost first. Absent if there are none. */
  readonly groups?: readonly { readonly title: string; readonly line: number }[]
  readonly repeats?: Repeats
  readonly change?: string
  readonly setup?: ListedHeading
  readonly teardown?: ListedHeading
}

export interface ListedSpec extends Partial<Pick<SpecSettings, 'executor' | 'sandbox'>> {
  readonly spec: string
  readonly title: string
  /** The agent that a run would use; `auto` is the first one on PATH. */
  readonly agent: string
  readonly tags: readonly string[]
  readonly requires: readonly string[]
  readonly sideEffects: boolean
  /** Whether a table goes on with its next row after a row that did not pass. */
  readonly afterFailure: AfterFailure
  readonly limits: Limits
  readonly scenarios: readonly ListedScenario[]
}

type Limits = Partial<Record<Exclude<LimitName, 'minAssurance'>, number>> & { readonly minAssurance?: Assurance }
type LimitName = (typeof ofAgent)[number] | 'blockTimeoutMs'

const ofAgent = ['hardTimeoutMs', 'silenceTimeoutMs', 'maxCostUsd', 'maxTokens', 'minAssurance'] as const

const recordings = {
  current: { state: 'recorded' },
  missing: { state: 'not recorded' },
  stale: { state: 'stale', why: whyStale },
} as const

type ReplaysOf = (scenario: Scenario) => ReadonlyMap<string, keyof typeof recordings>

export function listSpec({ spec, settings }: Plan, replaysOf?: ReplaysOf): ListedSpec {
  const { file, title, agent, change, frontMatter, scenarios } = spec
  const { tags, requires, sideEffects } = frontMatter
  const { executor, sandbox, afterFailure } = settings
  const hasAgent = scenarios.some((scenario) => agentStepsOf(scenario).length > 0)
  return {
    ...{ spec: file, title, agent, tags, requires, sideEffects, afterFailure },
    limits: limitsOf(settings, { hasAgent }),
    ...(hasAgent && { executor, sandbox }),
    scenarios: scenarios.map((scenario) => {
      const context = { planned: planBlocks(scenario), replays: replaysOf?.(scenario) }
      const { setup, teardown, groups } = scenario
      const repeats = repeatsIn(scenario, settings)
      return withoutUndefined<ListedScenario>({
        ...listedHeading(scenario),
        groups: groups?.map((group) => ({ title: group.title, line: group.line })),
        repeats: repeats.runs === 1 ? undefined : repeats,
        change,
        setup: setup && listHook(setup, context.planned.setup),
        children: scenario.children.map((child) => listChild(child, context)),
        teardown: teardown && listHook(teardown, context.planned.teardown),
      })
    }),
  }
}

function limitsOf({ policy, ...settings }: SpecSettings, { hasAgent }: { readonly hasAgent: boolean }): Limits {
  const limits = { ...settings, minAssurance: policy.minAssurance }
  const defaults = resolveOptions({})
  const names: readonly LimitName[] = [...(hasAgent ? ofAgent : []), 'blockTimeoutMs']
  const changed = names.filter((name) => limits[name] !== undefined && limits[name] !== defaults[name])
  return Object.fromEntries(changed.map((name) => [name, limits[name]])) as Limits // each limit keeps its name
}

function listedHeading({ title, directives, ...heading }: Scenario | Group | Step): ListedHeading {
  const { skip, only, fails, retry, tags, timeoutMs } = directives
  return withoutUndefined<ListedHeading>({ title, ...lineOf(heading), skip, only, fails, retry, tags, timeoutMs })
}

interface ListContext {
  readonly planned: PlannedBlocks
  readonly replays: ReadonlyMap<string, keyof typeof recordings> | undefined
}

function listChild(child: Group | Step, context: ListContext): ListedHeading {
  if (child.kind === 'group') {
    const children = child.children.map((grandchild) => listChild(grandchild, context))
    return { kind: 'group', ...listedHeading(child), children }
  }
  const replay = context.replays?.get(child.id)
  const recording = replay && recordings[replay]
  const by = actorsOf(child, context.planned.of(child))
  const checks = child.checks.length
  return { kind: 'step', id: child.id, ...listedHeading(child), by, checks, ...(recording && { recording }) }
}

function actorsOf(step: Step, blocks: readonly Block[]): readonly Actor[] {
  if (isLeftOut(step)) return [step.directives.skip === undefined ? 'todo' : 'skip']
  if (step.actor === 'todo') return ['todo']
  const before = blocks.filter(({ role }) => role !== 'verify').map(actorOf)
  const after = blocks.filter(({ role }) => role === 'verify').map(actorOf)
  return inOrder([...before, ...(step.actor === 'agent' ? (['agent'] as const) : []), ...after])
}

/** Lists a teardown, which contains either blocks or prose. */
function listHook(hook: Hook, blocks: readonly Block[]): ListedHeading {
  const by = inOrder([...blocks.map(actorOf), ...(hook.hasProse ? (['agent'] as const) : [])])
  return { title: hook.title, ...lineOf(hook), by }
}

function inOrder(actors: readonly Actor[]): readonly Actor[] {
  return actors.filter((actor, index) => actor !== actors[index - 1])
}

function actorOf(block: Block): Actor {
  if (block.kind === 'script') return 'sh'
  return block.kind === 'module' ? block.language : block.kind
}
