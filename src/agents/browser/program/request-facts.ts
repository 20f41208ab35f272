import { messageOf } from '../../../system/error-facts.ts'
import { timeNow } from './shared-pause.ts'

/** What an error tells of the request that failed. */
export interface RequestFacts {
  /** In the provider's words. */
  readonly text: string
  /** HTTP status. */
  readonly status?: number
  /** What the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number
  /** Address without its query. */
  readonly url?: string
  /** The answer as it came. */
  readonly body?: string
  /** Code of the system, such as `ECONNREFUSED`. */
  readonly code?: string
  /** There was no connection. */
  readonly isUnreached: boolean
  /** There was one, and it broke before the answer was whole. */
  readonly isBroken: boolean
}

const unreachedCodes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/
const brokenCodes =
  /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|ERR_STREAM_PREMATURE_CLOSE)$/
const brokenWords = /\bterminated\b|socket hang up|other side closed|premature close|connection reset/i

/** Reads an error of the AI SDK and what it came from. */
export function factsOf(error: unknown): RequestFacts {
  const text = messageOf(error)
  const chain = [...causesOf(error)]
  const status = numberIn(error, 'statusCode')
  const url = memberOf(error, 'url')
  const body = memberOf(error, 'responseBody')
  const code = chain.flatMap((one) => codesIn(one)).find((one) => unreachedCodes.test(one) || brokenCodes.test(one))
  const retryAfterMs = retryAfterIn(memberOf(error, 'responseHeaders'))
  const isUnreached = code === undefined ? /^cannot connect to api\b/i.test(text) : unreachedCodes.test(code)
  const isCut = chain.some((one) => brokenWords.test(messageOf(one)))
  return {
    text,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(typeof url === 'string' && { url: url.replace(/\?.*$/s, '') }),
    ...(typeof body === 'string' && { body }),
    ...(code !== undefined && { code }),
    isUnreached,
    isBroken: !isUnreached && (code !== undefined || isCut),
  }
}

function* causesOf(error: unknown): Iterable<unknown> {
  for (let one = error, depth = 0; one !== undefined && one !== null && depth < 8; depth += 1) {
    yield one
    one = memberOf(one, 'cause')
  }
}

function codesIn(error: unknown): readonly string[] {
  const errors = memberOf(error, 'errors')
  const all: readonly unknown[] = [error, ...(Array.isArray(errors) ? errors : [])]
  return all.flatMap((one) => {
    const code = memberOf(one, 'code')
    return typeof code === 'string' ? [code] : []
  })
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterIn(headers: unknown): number | undefined {
  const inMs = Number(memberOf(headers, 'retry-after-ms') ?? Number.NaN)
  if (inMs >= 0) return inMs
  const given = memberOf(headers, 'retry-after')
  if (typeof given !== 'string') return undefined
  const waitMs = /^\s*[\d.]+\s*$/.test(given) ? Number(given) * 1000 : Date.parse(given) - timeNow()
  return waitMs >= 0 ? waitMs : undefined
}

function numberIn(value: unknown, key: string): number | undefined {
  const member = memberOf(value, key)
  return typeof member === 'number' ? member : undefined
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
