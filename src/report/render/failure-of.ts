import type { ReportedCheck, ReportedStep } from '../records/spec-record.ts'

type ReportedReason = ReportedStep['reasons'][number]

/** Why a step did not pass, each thing said once. */
export interface Failure {
  /** What the agent saw instead; absent where it did not say so. */
  readonly seen?: string
  /** Reasons that say more than that. */
  readonly told: readonly ReportedReason[]
  /** Reasons that say the same in more words. */
  readonly repeated: readonly ReportedReason[]
}

/** What is to be told of a step that did not pass. */
export function failureOf({ reasons, said, checks }: Pick<ReportedStep, 'reasons' | 'said' | 'checks'>): Failure {
  const bad = checks.filter(isBad)
  const sights = [...(said && isBad(said) ? [said] : []), ...bad].flatMap(({ observed }) =>
    observed === undefined || observed.trim() === '' ? [] : [observed],
  )
  const repeats = ({ message }: ReportedReason): boolean =>
    sights.some((sight) => saysTheSame(message, sight)) && !isComparison(message)
  const [seen] = sights
  return {
    ...(seen !== undefined && reasons.length > 0 && { seen }),
    told: reasons.filter((reason) => !repeats(reason)),
    repeated: reasons.filter(repeats),
  }
}

/** Whether a text says no more than another that stands above it. */
export function isToldBy(text: string | undefined, above: string | undefined): boolean {
  return text !== undefined && above !== undefined && squashed(text) === squashed(above)
}

function isBad({ status }: Pick<ReportedCheck, 'status'>): boolean {
  return status === 'fail' || status === 'blocked'
}

/** Long words may have been cut in a message. */
function saysTheSame(message: string, sight: string): boolean {
  return squashed(message).includes(squashed(sight).slice(0, 200))
}

function isComparison(message: string): boolean {
  return /^[+-]/m.test(message)
}

function squashed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
