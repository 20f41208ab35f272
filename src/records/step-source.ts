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

/**
 * How many steps were carried out by whom: `40 replayed, 2 handed over (control missing), 1 recorded`. Nothing where
 * recordings had no part in it.
 */
export function countSources(sources: readonly StepSource[]): string | undefined {
  const of = (kind: StepSource['kind']): readonly StepSource[] => sources.filter((one) => one.kind === kind)
  const handedOver = of('handed-over')
  const counts = [
    ...counted(of('replayed').length, 'replayed'),
    ...counted(handedOver.length, `handed over (${describeCauses(handedOver)})`),
    ...counted(of('recorded').length, 'recorded'),
  ]
  if (counts.length === 0) return undefined
  return [...counts, ...counted(of('agent').length, 'by the agent')].join(', ')
}

/** `control missing`, or `2 control missing, 1 wording changed`. */
function describeCauses(sources: readonly StepSource[]): string {
  const causes = sources.map(({ reason }) => reason?.cause ?? reason?.code ?? 'unknown')
  const each = [...new Set(causes)]
  if (each.length === 1) return each.join('')
  return each.map((cause) => `${causes.filter((one) => one === cause).length} ${cause}`).join(', ')
}

function counted(count: number, word: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${word}`]
}
