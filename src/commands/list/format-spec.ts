import { relative } from 'node:path'
import { plainLine } from '../../system/text/plain-text.ts'
import type { StepRecording } from '../../plan/recordings/replay.ts'
import type { SpecLine } from '../../spec/spec.ts'
import type { Repeats } from '../../spec/front-matter/front-matter.ts'
import { indent, type Palette } from '../common/styled-text.ts'
import type { Actor } from './actors.ts'
import type { Limits, ListedGroup, ListedScenario, ListedSpec, ListedStep, Marks } from './list-spec.ts'
import { formatDuration } from '../../system/text/wording.ts'

/** How a plan is printed. */
export interface Style {
  /** Absolute path that files are named relative to. */
  readonly cwd: string
  readonly palette: Palette
}

/** The plan of one spec as text, for people: one line for each heading, as `mdtest run` takes it behind the path. */
export function formatSpec(listed: ListedSpec, style: Style): string {
  const { spec, scenarios } = listed
  const lines = [
    `${style.palette.bold(plainLine(relative(style.cwd, spec)))} ${style.palette.dim(settingsOf(listed).join(', '))}`,
    ...indent(scenarios.flatMap((scenario) => formatScenario(scenario, style))),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function settingsOf({ agent, tags, requires, sideEffects, limits, executor, sandbox }: ListedSpec): readonly string[] {
  return [
    `agent ${agent}`,
    ...namedList('tags', tags),
    ...namedList('requires', requires),
    ...(sideEffects ? ['side effects'] : []),
    ...formatLimits(limits),
    ...(executor === 'auto' ? [] : named('executor', executor)),
    ...(sandbox === 'auto' ? [] : named('sandbox', sandbox)),
  ]
}

/** Named as in the front matter. */
function formatLimits(limits: Limits): readonly string[] {
  const { hardTimeoutMs, silenceTimeoutMs, blockTimeoutMs, maxCostUsd, maxTokens, minAssurance } = limits
  return [
    ...named('timeout', hardTimeoutMs && formatDuration(hardTimeoutMs)),
    ...named('silence-timeout', silenceTimeoutMs && formatDuration(silenceTimeoutMs)),
    ...named('block timeout', blockTimeoutMs && formatDuration(blockTimeoutMs)),
    ...named('max-cost-usd', maxCostUsd),
    ...named('max-tokens', maxTokens),
    ...named('min-assurance', minAssurance),
  ]
}

function formatScenario(scenario: ListedScenario, style: Style): readonly string[] {
  const { setup, children, teardown, groups = [] } = scenario
  const title = [...groups, scenario].map((heading) => heading.title).join(' > ')
  return [
    formatHeading({ ...scenario, title }, style),
    ...indent([
      ...(setup ? [formatHeading(setup, style)] : []),
      ...children.flatMap((child) => formatChild(child, style)),
      ...(teardown ? [formatHeading(teardown, style)] : []),
    ]),
  ]
}

function formatChild(child: ListedGroup | ListedStep, style: Style): readonly string[] {
  if (child.kind === 'step') return [formatHeading(child, style)]
  return [
    formatHeading(child, style),
    ...indent(child.children.flatMap((grandchild) => formatChild(grandchild, style))),
  ]
}

interface Heading extends SpecLine, Marks {
  readonly title: string
  readonly by?: readonly Actor[]
  readonly checks?: number
  readonly repeats?: Repeats
  readonly change?: string
  readonly recording?: StepRecording
}

function formatHeading(heading: Heading, { cwd, palette }: Style): string {
  const { title, file, line, skip } = heading
  const by = heading.by ?? (skip === undefined ? [] : ['skip' as const]) // a literal, not a string
  const actors = by.map((actor) => paintActor(actor, palette))
  const place = `${file === undefined ? '' : plainLine(relative(cwd, file))}:${line}`
  const marks = marksOf(heading).join(', ')
  return [plainLine(title), ...actors, ...(marks === '' ? [] : [marks]), palette.dim(place)].join(' ')
}

function paintActor(actor: Actor, { yellow, green, dim }: Palette): string {
  const paint = actor === 'agent' ? yellow : actor === 'todo' || actor === 'skip' ? dim : green
  return paint(`[${actor}]`)
}

function marksOf({
  checks = 0,
  recording,
  skip,
  only,
  fails,
  retry,
  repeats,
  change,
  tags = [],
  timeoutMs,
}: Heading): readonly string[] {
  return [
    ...(checks > 0 ? [`${checks} check${checks === 1 ? '' : 's'}`] : []),
    ...(recording ? [describeRecording(recording)] : []),
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

function describeRecording(recording: StepRecording): string {
  return recording.state === 'stale' ? `stale (${plainLine(recording.why)})` : recording.state
}

function named(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`${name} ${value}`]
}

function namedList(name: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [`${name} ${values.map(plainLine).join(' ')}`]
}
