import type { AgentEvent } from '../../agent.ts'
import type { Failures } from './failures.ts'
import type { LastAnswer } from './watched-model.ts'

/** How the model stopped. */
export interface ModelEnd extends Pick<Failures, 'refusals' | 'lastInvalid' | 'isHopeless'> {
  /** Absent where it was never answered. */
  readonly last: LastAnswer | undefined
  readonly isOutOfRequests: boolean
}

interface Asked {
  /** Name of the model. */
  readonly model: string
  /** Requests that it may make. */
  readonly maxModelSteps: number
}

type ErrorEvent = Extract<AgentEvent, { type: 'error' }>

/**
 * Why there are steps without a report. A model that would not or could not answer says nothing of the product: that is
 * `model`. One that worked and left reports out has given no verdict.
 */
export function whyUnreported(end: ModelEnd, { model, maxModelSteps }: Asked): ErrorEvent {
  const name = `The model \`${model}\``
  const because = end.last === undefined ? '' : ` (finish reason \`${end.last.finishReason}\`)`
  const told = `${lastWords(end)}${refusedReports(end)}`
  const blocked = (what: string, remedy: string): ErrorEvent => ({
    type: 'error',
    cause: 'model',
    message: `${name} ${what}${because}.${told} ${remedy}`,
  })
  if (end.last?.kind === 'content-filter')
    return blocked('refused, or a filter of its provider did', 'Reword the step, or choose another model.')
  if (end.last?.kind === 'length')
    return blocked('was cut off', 'Make the scenario smaller, or choose a model that may answer at greater length.')
  if (end.isHopeless && end.lastInvalid !== '')
    return blocked(
      `called tools that do not exist, or with arguments that are no JSON, again and again, \`${end.lastInvalid}\` at last`,
      'Choose a model that can use tools.',
    )
  if (isEmpty(end)) return blocked('gave an empty answer', 'Run it again, or choose another model.')
  return {
    type: 'error',
    cause: 'no-verdict',
    message: `${name} ${withoutVerdict(end, { because, maxModelSteps })}${told}`,
  }
}

function withoutVerdict(
  end: ModelEnd,
  { because, maxModelSteps }: { readonly because: string; readonly maxModelSteps: number },
): string {
  if (end.isHopeless) return `was stopped: its reports were refused again and again.`
  if (!end.isOutOfRequests) return `ended its work by itself${because}.`
  return `was stopped after ${maxModelSteps} requests. Raise the option \`maxModelSteps\`, or make the scenario smaller.`
}

function isEmpty({ last, isOutOfRequests, isHopeless }: ModelEnd): boolean {
  return !isOutOfRequests && !isHopeless && (last === undefined || (last.text.trim() === '' && last.callCount === 0))
}

const maxCharacters = 400

function lastWords({ last }: ModelEnd): string {
  const text = flat(last?.text ?? '')
  return text === '' ? '' : ` Its last words: "${cut(text)}"`
}

function refusedReports({ refusals }: ModelEnd): string {
  const last = refusals.at(-1)
  if (last === undefined) return ''
  const count = refusals.length === 1 ? 'A report was refused' : `${refusals.length} reports were refused, the last one`
  return ` ${count}: ${cut(flat(last))}`
}

function cut(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
