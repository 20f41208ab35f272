import { describeValue, parseFrontMatter, problem, splitFrontMatter } from './log-front-matter.ts'
import { frontMatterSchema } from './result-log-schema.ts'
import type { LogProblem, ResultLog, ResultLogSchema } from './result-log.ts'

export type ParsedResultLog = { readonly ok: true; readonly log: ResultLog; readonly body: string } | LogProblem

/** Validates the front matter of a result log. Its type does not mention zod, so users need not install zod. */
export const resultLogSchema: ResultLogSchema = frontMatterSchema

/** Parses the front matter and the agent's text below it. Never throws: errors are returned. */
export function parseResultLog(text: string): ParsedResultLog {
  const split = splitFrontMatter(text)
  if (!split.ok) return split
  const yaml = parseFrontMatter(split.yaml)
  if (!yaml.ok) return yaml
  const checked = checkShape(yaml.value)
  return checked.ok ? { ...checked, body: split.body } : checked
}

function checkShape(value: unknown): { readonly ok: true; readonly log: ResultLog } | LogProblem {
  const status = isObject(value) ? Reflect.get(value, 'status') : undefined
  if (status !== 'pass' && status !== 'fail') {
    const found = status === undefined ? 'there is none' : `got ${describeValue(status)}`
    const message = `Expected \`status\` in the front matter to be exactly \`pass\` or \`fail\`, ${found}.`
    return problem('LOG_INVALID_STATUS', message)
  }
  // If there are `steps`, a failure may be from an earlier attempt, so do not search for failures.
  const hidden = status === 'pass' && isObject(value) && !('steps' in value) ? findFailure(value, []) : undefined
  if (hidden !== undefined) {
    const place = `\`${formatPath(hidden.path)}\` is ${describeValue(hidden.status)}`
    const message = `The front matter says \`status: pass\`, and ${place}. Steps are reported under \`steps\`.`
    return problem('LOG_INVALID_STATUS', message)
  }
  const result = frontMatterSchema.safeParse(value)
  if (result.success) return { ok: true, log: result.data }
  const [{ path, message } = { path: [], message: 'unknown' }] = result.error.issues
  const at = path.reduce<unknown>((inner, key) => (isObject(inner) ? Reflect.get(inner, key) : undefined), value)
  const why = `\`${formatPath(path)}\` in the front matter is not of the expected shape: ${message}`
  return problem('LOG_INVALID_YAML', `${why}, got ${describeValue(at)}.`)
}

function formatPath(path: readonly PropertyKey[]): string {
  const parts = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  return parts.join('').replace(/^\./, '')
}

type HiddenFailure = { readonly path: readonly PropertyKey[]; readonly status: string }

const failures: ReadonlySet<string> = new Set(['fail', 'failed', 'failure', 'blocked', 'skipped'])

/** Finds a `status` of a failure at a place where no status is allowed. */
function findFailure(value: unknown, path: readonly PropertyKey[]): HiddenFailure | undefined {
  if (!isObject(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const place = [...path, Array.isArray(value) ? Number(key) : key]
    if (key === 'status' && typeof inner === 'string' && failures.has(inner.toLowerCase()))
      return { path: place, status: inner }
    const found = findFailure(inner, place)
    if (found !== undefined) return found
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
