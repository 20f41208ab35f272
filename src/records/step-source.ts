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
