import { parseFrontMatter, describeValue } from './parse-front-matter.ts'
import { frontMatterSchema } from './result-log-schema.ts'
import { maxFrontMatterBytes, type LogProblem, type ResultLog } from './result-log.ts'
/** What the text of a result log gave. */
export type ParsedResultLog = { readonly ok: true; readonly log: ResultLog; readonly body: string } | LogProblem

/**
 * Parses the text of a result log: front matter at the very start, `status` exactly `pass` or `fail`, then the
 * agent's narrative. Pure and total: whatever the text is, what is wrong with it is a value.
 */
export function parseResultLog(text: string): ParsedResultLog {
  const split = splitFrontMatter(text)
  if (!split.ok) return split
  const yaml = parseFrontMatter(split.yaml)
  if (!yaml.ok) return yaml
  const checked = checkShape(yaml.value)
  return checked.ok ? { ok: true, log: checked.log, body: split.body } : checked
}

const expectation =
  'Expected the file to start with a line `---`, then `status: pass` or `status: fail`, then a line `---`.'

type Split = { readonly ok: true; readonly yaml: string; readonly body: string } | LogProblem

function splitFrontMatter(text: string): Split {
  const opening = /^---\r?\n/.exec(text)
  if (opening === null) return noFrontMatter(describeStart(text))
  // The search starts at the line end of the opening line, so that an empty front matter is closed too.
  const rest = text.slice(opening[0].length - 1)
  const closing = /\n---\r?(?:\n|$)/.exec(rest)
  if (closing === null) return noFrontMatter('Its front matter is opened by `---` and never closed.')
  const yaml = rest.slice(1, Math.max(1, closing.index)).replace(/\r$/, '')
  if (Buffer.byteLength(yaml) > maxFrontMatterBytes) return tooLarge(Buffer.byteLength(yaml))
  return { ok: true, yaml, body: rest.slice(closing.index + closing[0].length) }
}

function describeStart(text: string): string {
  if (text === '') return 'The file is empty.'
  if (text.startsWith('\uFEFF')) return 'The file starts with a byte order mark; `---` must be its first bytes.'
  const firstLine = text.split('\n', 1)[0] ?? ''
  return `The first line is ${describeValue(firstLine.replace(/\r$/, ''))}, not \`---\`.`
}

function noFrontMatter(found: string): LogProblem {
  return { ok: false, code: 'LOG_NO_FRONT_MATTER', message: `${found} ${expectation}` }
}

function tooLarge(bytes: number): LogProblem {
  const message = `The front matter has ${bytes} bytes, more than ${maxFrontMatterBytes}. Move the narrative below it.`
  return { ok: false, code: 'LOG_TOO_LARGE', message }
}

function checkShape(value: unknown): { readonly ok: true; readonly log: ResultLog } | LogProblem {
  const status = statusOf(value)
  if (status !== 'pass' && status !== 'fail') return invalidStatus(status)
  const hidden = findHiddenFailure(value)
  if (hidden !== undefined) return hiddenFailure(hidden)
  const result = frontMatterSchema.safeParse(value)
  if (result.success) return { ok: true, log: result.data }
  const [issue] = result.error.issues
  const path = formatPath(issue?.path ?? [])
  const found = describeValue(valueAt(value, issue?.path ?? []))
  return {
    ok: false,
    code: 'LOG_INVALID_YAML',
    message: `\`${path}\` in the front matter is not of the expected shape: ${issue?.message ?? 'unknown'}, got ${found}.`,
  }
}

function statusOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined
}

function invalidStatus(status: unknown): LogProblem {
  const found = status === undefined ? 'there is none' : `got ${describeValue(status)}`
  const message = `Expected \`status\` in the front matter to be exactly \`pass\` or \`fail\`, ${found}.`
  return { ok: false, code: 'LOG_INVALID_STATUS', message }
}

function hiddenFailure({ path, status }: HiddenFailure): LogProblem {
  const message = `The front matter says \`status: pass\`, and \`${formatPath(path)}\` is ${describeValue(status)}. Steps are reported under \`steps\`.`
  return { ok: false, code: 'LOG_INVALID_STATUS', message }
}

/** `['steps', 0, 'id']` → `steps[0].id` */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  )
}

/** A `status` that is no pass, at a place where nobody looks for one. */
interface HiddenFailure {
  readonly path: readonly PropertyKey[]
  readonly status: string
}

const failures: ReadonlySet<string> = new Set(['fail', 'failed', 'failure', 'blocked', 'skipped'])

/**
 * Finds a failure in front matter that passes as a whole and has no `steps` list, for example under `results`. With a
 * list the rest is the agent's own affair: it may tell of earlier attempts.
 */
function findHiddenFailure(frontMatter: unknown): HiddenFailure | undefined {
  if (!isObject(frontMatter) || Reflect.get(frontMatter, 'status') !== 'pass' || 'steps' in frontMatter)
    return undefined
  return search(frontMatter, [])
}

function search(value: unknown, path: readonly PropertyKey[]): HiddenFailure | undefined {
  if (!isObject(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const place = [...path, Array.isArray(value) ? Number(key) : key]
    if (key === 'status' && typeof inner === 'string' && failures.has(inner.toLowerCase()))
      return { path: place, status: inner }
    const found = search(inner, place)
    if (found !== undefined) return found
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
