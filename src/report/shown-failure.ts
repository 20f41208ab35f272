import type { ReportedStep } from './data/spec-record.ts'

export type ReportedReason = ReportedStep['reasons'][number]

export interface Failure {
  /** What the agent observed. Absent if it reported nothing. */
  readonly seen?: string
  readonly told: readonly ReportedReason[]
  readonly repeated: readonly ReportedReason[]
}

export function failureOf({ reasons, said, checks }: Pick<ReportedStep, 'reasons' | 'said' | 'checks'>): Failure {
  const bad = [...(said ? [said] : []), ...checks].filter(({ status }) => status === 'fail' || status === 'blocked')
  const sights = bad.flatMap(({ observed = '' }) => (observed.trim() === '' ? [] : [observed]))
  // A message repeats an observation if it contains the start of the observation, and has no diff.
  const repeats = ({ message }: ReportedReason): boolean =>
    !/^[+-]/m.test(message) && sights.some((sight) => squashed(message).includes(squashed(sight).slice(0, 200)))
  const [seen] = sights
  return {
    ...(seen !== undefined && reasons.length > 0 && { seen }),
    told: reasons.filter((reason) => !repeats(reason)),
    repeated: reasons.filter(repeats),
  }
}

export function isToldBy(text: string, above: readonly (string | undefined)[]): boolean {
  return above.some((one) => one !== undefined && squashed(one) === squashed(text))
}

function squashed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Removes marks of Playwright's snapshots that only tools need, such as `[ref=e5]` and `[cursor=pointer]`. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/(?: \[active\])? ?\[(?:ref=(?:f\d+)?e\d+|cursor=\w+)\]/g, '')
}
