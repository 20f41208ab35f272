import type { RecordedReason } from './recorded-reason.ts'

export const stepSourceKinds = ['replayed', 'agent', 'handed-over', 'recorded'] as const // literals, for the type

/**
 * Who carried out a step, or was to. `replayed`: mdtest, with the blocks of a recording; `agent`; `handed-over`: the agent
 * after all, because the recording did not fit; `recorded`: the agent, and its recording was written in the same run.
 */
export interface StepSource {
  readonly kind: (typeof stepSourceKinds)[number]
  /** Why the recording that was there did not fit; with `handed-over`, and with `recorded` where it took the place of that. */
  readonly reason?: RecordedReason
  /** Why what the agent did could not be recorded, where it was to be. */
  readonly refusal?: RecordedReason
}

/** In a word: `replayed`, `agent`, `handed over: CODE`, `recorded`. */
export function sourceWord({ kind, reason }: StepSource): string {
  return kind === 'handed-over' ? `handed over: ${reason?.code ?? 'unknown'}` : kind
}

/** Why a recording did not fit, in a line: `REPLAY_DIFFERS, wording changed, shop.recording.md:12`. */
export function describeMisfit({ code, cause, file, line }: RecordedReason): string {
  const place = file === undefined || line === undefined ? [] : [`${file}:${line}`]
  return [code, ...(cause === undefined ? [] : [cause]), ...place].join(', ')
}

/** The same with its reasons as they are to be told. */
export function withReasons(source: StepSource, told: (reason: RecordedReason) => RecordedReason): StepSource {
  const { kind, reason, refusal } = source
  return { kind, ...(reason && { reason: told(reason) }), ...(refusal && { refusal: told(refusal) }) }
}

/** How many steps were carried out by whom; `handed over (control missing)` for each cause. */
export type SourceCounts = Readonly<Record<string, number>>

export function countSources(sources: readonly StepSource[]): SourceCounts {
  return sumSources(sources.map((source) => ({ [labelOf(source)]: 1 })))
}

export function sumSources(all: readonly SourceCounts[]): SourceCounts {
  const sums: Record<string, number> = {}
  for (const [label, count] of all.flatMap(Object.entries<number>)) sums[label] = (sums[label] ?? 0) + count
  return sums
}

/** `40 replayed, 2 handed over (control missing), 1 recorded`; nothing where recordings had no part in it. */
export function describeSources(counts: SourceCounts): string | undefined {
  const labels = Object.keys(counts)
  if (labels.every((label) => label === byAgent)) return undefined
  const handedOver = labels.filter((label) => label.startsWith('handed over')).toSorted()
  const ordered = ['replayed', ...handedOver, 'recorded', byAgent].filter((label) => labels.includes(label))
  return ordered.map((label) => `${counts[label]} ${label}`).join(', ')
}

const byAgent = 'by the agent'

function labelOf({ kind, reason }: StepSource): string {
  if (kind === 'agent') return byAgent
  return kind === 'handed-over' ? `handed over (${reason?.cause ?? reason?.code ?? 'unknown'})` : kind
}
