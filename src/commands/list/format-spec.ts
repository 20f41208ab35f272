import { relative } from 'node:path'
import type { StepRecording } from '../../plan/recordings/replay.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { formatDuration, plural } from '../../system/text/wording.ts'
import { indent, type Palette } from '../common/styled-text.ts'
import type { Actor, ListedHeading, ListedScenario, ListedSpec } from './list-spec.ts'

interface Style {
  readonly cwd: string
  readonly palette: Palette
}

/** The plan of one spec as text, for people: one line for each heading, as `mdtest run` takes it behind the path. */
export function formatSpec(listed: ListedSpec, style: Style): string {
  const { bold, dim } = style.palette
  const lines = [
    `${bold(plainLine(relative(style.cwd, listed.spec)))} ${dim(settingsOf(listed).join(', '))}`,
    ...indent(listed.scenarios.flatMap((scenario) => formatHeading(scenario, style))),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Named as in the front matter. */
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
  const by = heading.by ?? (skip === undefined ? [] : ['skip' as const]) // a literal, not a string
  const place = `${file === undefined ? '' : plainLine(relative(cwd, file))}:${line}`
  const marks = marksOf(heading)
  const actors = by.map((actor) => paintActor(actor, palette))
  const told = [plainLine(title), ...actors, ...(marks.length > 0 ? [marks.join(', ')] : []), palette.dim(place)]
  const below = [...(setup ? [setup] : []), ...children, ...(teardown ? [teardown] : [])]
  return [told.join(' '), ...indent(below.flatMap((each) => formatHeading(each, style)))]
}

function paintActor(actor: Actor, { yellow, green, dim }: Palette): string {
  const paint = actor === 'agent' ? yellow : actor === 'todo' || actor === 'skip' ? dim : green
  return paint(`[${actor}]`)
}

function marksOf({ checks = 0, recording, skip, only, fails, retry, ...more }: Heading): readonly string[] {
  const { repeats, change, tags = [], timeoutMs } = more
  return [
    ...(checks > 0 ? [plural(checks, 'check')] : []),
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
