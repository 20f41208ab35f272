import type { LateFinding } from '../scenario/scenario-record.ts'
import { excuse } from '../records/outcome.ts'
import type { RecordedReason } from '../records/recorded-reason.ts'
import type { StepSource } from '../records/step-source.ts'
import type { Rate } from '../scenario/rate-step.ts'
import { lineOf, stepsOf, type Scenario, type SpecLine } from '../spec/spec.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { messageOf } from '../system/error-facts.ts'
import { plainText } from '../system/text/plain-text.ts'

export interface StepAddress {
  readonly scenario: Scenario
  readonly ordinal: number
}

interface Shown extends StepAddress {
  readonly log: string | undefined
  readonly rate: Rate | undefined
  readonly source?: StepSource | undefined
}

export function describeFailure({ outcome, reasons }: Verdict, shown: Shown): FailureDetails {
  const { log, rate, source } = shown
  const misfit = source?.kind === 'handed-over' && source.reason?.code === 'REPLAY_DIFFERS' ? source.reason : undefined
  const isBlocked = outcome === 'blocked'
  const [first] = misfit ? [misfit] : reasons
  const heading = headingOf(shown)
  const head = `${isBlocked ? 'blocked: ' : ''}${rate ? `${describeRate(rate)}\n` : ''}`
  const told = reasons.map((reason) =>
    describeReason(misfit ? { ...reason, message: reason.message.replace(excuse, '') } : reason),
  )
  const after = isBlocked
    ? 'So an agent had to decide whether the product is wrong, but none could:'
    : 'So the agent did it:'
  const tail = log === undefined ? [] : [`Log: ${log}`]
  return {
    message: `${head}${[...(misfit ? [describeReason(misfit), after] : []), ...told, ...tail].join('\n')}`,
    places: [first?.line === undefined ? heading : lineOf({ ...first, line: first.line }), heading],
  }
}

export function describeInterruption(error: unknown, address: StepAddress): FailureDetails {
  return { places: [headingOf(address)], message: messageOf(error) }
}

export function describeLate(found: readonly LateFinding[]): FailureDetails | undefined {
  if (found.length === 0) return undefined
  return { places: found, message: found.map(describeReason).join('\n') }
}

export function describeReason({ code, message }: Pick<RecordedReason, 'code' | 'message'>): string {
  return `${code}: ${message}`
}

export function describeRate({ passed, runs, required }: Rate): string {
  return `passed in ${passed} of ${runs} runs, ${required} required`
}

function headingOf({ scenario, ordinal }: StepAddress): Scenario | ReturnType<typeof stepsOf>[number] {
  return stepsOf(scenario)[ordinal - 1] ?? scenario
}

export interface FailureDetails {
  readonly message: string
  /** Places in the markdown, the closest first. The test runner shows the code at the first place. */
  readonly places: readonly SpecLine[]
}

/** Colors differences as test runners do: expected green, received red. `plain`: escape code that ends the color. */
export function paintDifferences(message: string, plain = '\u001b[39m'): string {
  const [said = '', ...differences] = message.split(/(?<=^.*\(- expected, \+ actual\):$)/m)
  const painted = differences
    .join('')
    .replaceAll(/^-.*$/gm, `\u001b[32m$&${plain}`)
    .replaceAll(/^\+.*$/gm, `\u001b[31m$&${plain}`)
  return `${said}${painted}`
}

/** Words that make Vitest add advice on modules to an error. The advice is wrong if the product printed the words. */
const moduleComplaint = /(Cannot use import statement outside a|Unexpected token) /g

export class StepFailure extends Error {
  override readonly name = 'StepFailure'

  /** @param file absolute path of the spec */
  constructor(file: string, { message: text, places }: FailureDetails, hasColors = false) {
    const message = hasColors ? paintDifferences(plainText(text)) : plainText(text)
    super(message)
    const frames = places.map((place) => `    at ${place.file ?? file}:${place.line}:1`)
    this.stack = [`${this.name}: ${message.replace(moduleComplaint, '$1\u00A0')}`, ...new Set(frames)].join('\n')
  }
}
