import type { RecordedReason } from './recorded-reason.ts'

export const stepSourceKinds = ['replayed', 'agent', 'handed-over'] as const

/** How a step was carried out. `handed-over`: the agent took over because the recording did not match. */
export interface StepSource {
  readonly kind: (typeof stepSourceKinds)[number]
  readonly reason?: RecordedReason
}

export function sourceWord({ kind, reason }: StepSource): string {
  return kind === 'handed-over' ? `handed over: ${reason?.code ?? 'unknown'}` : kind
}

/** Describes in one line why a recording did not match: `REPLAY_DIFFERS, output changed, shop.recording.md:12`. */
export function describeMisfit({ code, cause, file, line }: RecordedReason): string {
  const place = file === undefined || line === undefined ? [] : [`${file}:${line}`]
  return [code, ...(cause === undefined ? [] : [cause]), ...place].join(', ')
}

export function withReason({ kind, reason }: StepSource, told: (reason: RecordedReason) => RecordedReason): StepSource {
  return { kind, ...(reason && { reason: told(reason) }) }
}

export type SourceCounts = Readonly<Record<string, number>>

export function countSources(sources: readonly StepSource[]): SourceCounts {
  return sumSources(sources.map((source) => ({ [sourceLabel(source)]: 1 })))
}

export function sumSources(all: readonly SourceCounts[]): SourceCounts {
  const sums: Record<string, number> = {}
  for (const [label, count] of all.flatMap(Object.entries<number>)) sums[label] = (sums[label] ?? 0) + count
  return sums
}

/** Returns `40 replayed, 2 handed over (control missing), 1 by the agent`; `undefined` if no recording was used. */
export function describeSources(counts: SourceCounts): string | undefined {
  const labels = Object.keys(counts)
  if (labels.every((label) => label === byAgent)) return undefined
  const handedOver = labels.filter((label) => label.startsWith('handed over')).toSorted()
  const ordered = ['replayed', ...handedOver, byAgent].filter((label) => labels.includes(label))
  return ordered.map((label) => `${counts[label]} ${label}`).join(', ')
}

const byAgent = 'by the agent'

function sourceLabel({ kind, reason }: StepSource): string {
  if (kind === 'agent') return byAgent
  return kind === 'handed-over' ? `handed over (${reason?.cause ?? reason?.code ?? 'unknown'})` : kind
}
