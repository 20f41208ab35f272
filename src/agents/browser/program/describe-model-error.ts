import { MdtestError } from '../../../system/mdtest-error.ts'
import { errorCause } from '../../error-cause.ts'
import { triesBefore } from './retried.ts'
import { factsOf, type RequestFacts } from './request-facts.ts'
import type { RequestSizes } from './watched-model.ts'

/** What went wrong in a request to a model or on the way to it. */
export interface ModelError {
  /** `model`: it was asked and did not answer as it should. `browser`: nobody was to blame but the browser. */
  readonly cause: 'auth' | 'budget' | 'model' | 'browser' | 'other'
  /** What is wrong, and what to do about it. */
  readonly message: string
  /** HTTP status. */
  readonly status?: number
}

/** @param sizes of the request */
export function describeModelError(error: unknown, sizes?: RequestSizes): ModelError {
  const facts = factsOf(error)
  const { status } = facts
  const cause = causeOf(error, facts)
  return {
    cause,
    message: cause === 'model' ? describe(facts, { error, sizes }) : sentence(facts.text),
    ...(status !== undefined && { status }),
  }
}

function causeOf(error: unknown, { text, status, isUnreached, isBroken }: RequestFacts): ModelError['cause'] {
  if (error instanceof MdtestError) return error.code === 'AGENT_BROWSER_UNAVAILABLE' ? 'browser' : 'other'
  const cause = errorCause(text, status)
  const isOfRequest = isUnreached || isBroken || (error instanceof Error && error.name === 'AI_APICallError')
  return cause === 'other' && (isOfRequest || versionsApart.test(text)) ? 'model' : cause
}

interface Failed {
  readonly error: unknown
  readonly sizes: RequestSizes | undefined
}

function describe(facts: RequestFacts, failed: Failed): string {
  const { text, status, url = 'its address', code, body = '' } = facts
  const said = quoted(text)
  if (versionsApart.test(text)) return `${sentence(text)} Install a version of \`ai\` that fits the provider's package.`
  if (facts.isUnreached) return `${url} cannot be reached (${code ?? said}). Check the address, and whether it is up.`
  if (status === 404)
    return `${url} is not there, or knows no such model (404): ${said} Check key, name of the model and address.`
  if (contextWords.test(`${text} ${body}`)) return describeTooLong(said, failed.sizes)
  if (status === 429)
    return `The provider limits how much may be asked (429): ${said} ${describeTries(failed.error)} Try again later, or run fewer specs at once (\`--concurrency\`, \`maxAgents\`).`
  if (status === 529 || status === 503)
    return `The provider is overloaded (${status}): ${said} ${describeTries(failed.error)} Try again later.`
  if (status !== undefined && status >= 500)
    return `The provider has an error of its own (${status}): ${said} ${describeTries(failed.error)} Try again later.`
  if (filterWords.test(`${text} ${body}`))
    return `A filter of the provider refuses the request${status === undefined ? '' : ` (${status})`}: ${said} Reword the step, or choose another model.`
  if (facts.isBroken)
    return `The connection to ${url} broke before the answer was whole${code === undefined ? '' : ` (${code})`}. ${describeTries(failed.error)} Check the network and what is between, and try again.`
  const refusal = status === 200 ? refusalIn(body) : undefined
  if (refusal !== undefined)
    return `The model refused, or a filter of its provider did (finish reason \`content-filter\`). Its last words: "${quoted(refusal)}" Reword the step, or choose another model.`
  if (status === 200)
    return `What ${url} answers is no answer of a model: ${said} It begins: ${quoted(body.slice(0, 80))} Check its address: something else answers there, such as a proxy.`
  return `The provider refuses the request${status === undefined ? '' : ` (${status})`}: ${said}`
}

/** Older packages do not know this part of an answer in the format of OpenAI. */
function refusalIn(body: string): string | undefined {
  const text = /\{\s*"type"\s*:\s*"refusal"\s*,\s*"refusal"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1]
  return text === undefined ? undefined : String(JSON.parse(text))
}

function describeTries(error: unknown): string {
  const { tries = 1, askedWaitMs } = triesBefore(error) ?? {}
  const times = tries === 1 ? 'It was asked once.' : `It was asked ${tries} times.`
  if (askedWaitMs === undefined) return times
  return `${times} It wants ${Math.ceil(askedWaitMs / 1000)} s to pass, which is longer than the time that is left: raise \`timeout\`.`
}

const names: Readonly<Record<keyof RequestSizes, string>> = {
  prompt: 'the prompt',
  spec: 'the spec',
  tools: 'the descriptions of the tools',
  said: 'what the model said itself',
  results: 'what the tools gave, pages most of all',
}

const remedies: Readonly<Record<keyof RequestSizes, string>> = {
  prompt: 'Make the scenario smaller',
  spec: 'Split the spec into several files',
  tools: 'Attach fewer MCP servers',
  said: 'Make the scenario smaller',
  results: 'Have the step look at a part of the page',
}

function describeTooLong(said: string, sizes: RequestSizes | undefined): string {
  if (sizes === undefined) return `The request is too long for the model: ${said}`
  const parts = Object.entries(names).map(([key, name]) => ({ key: key as keyof RequestSizes, name })) // keys of a literal
  const largest = parts.toSorted((one, other) => sizes[other.key] - sizes[one.key])
  const told = largest.filter(({ key }) => sizes[key] > 0).map(({ key, name }) => `${name} ${inKilobytes(sizes[key])}`)
  const remedy = remedies[largest[0]?.key ?? 'results']
  return `The request is too long for the model: ${said} It has ${told.join(', ')}. ${remedy}, or choose a model that takes longer requests.`
}

function inKilobytes(characters: number): string {
  return `${(characters / 1000).toFixed(characters < 9_950 ? 1 : 0)} kB`
}

/** `ai` 6 with a provider of the next major. */
const versionsApart = /unsupported model version/i
const contextWords =
  /context.?(?:length|window)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|token count.*exceeds|(?:exceeds?|longer than).{0,40}\btokens\b|request too large|request_too_large/i
const filterWords = /content.?filter|content management policy|responsible ai|safety (?:filter|policy)|usage polic/i

const maxSaid = 300

/** What others said, as a sentence. */
function quoted(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return sentence(flat.length > maxSaid ? `${flat.slice(0, maxSaid)}…` : flat)
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
