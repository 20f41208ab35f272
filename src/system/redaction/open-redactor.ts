import type { MdtestError } from '../mdtest-error.ts'
import { quoteRegex } from '../text/shell-and-regex-quotes.ts'
import { secretPatterns, collectSecrets, type Secret } from './secret-forms.ts'

export interface Redactor {
  /** Replaces each secret with `***NAME***`. Redact before cutting a text: half a secret is not recognized. */
  redact(text: string): string
  createStream(): StreamRedactor
}

interface StreamRedactor {
  /** Returns the text that is safe to pass on. Holds back the end of the text if a secret may begin there. */
  write(chunk: string): string
  /** Returns the text that was held back, after an optional last chunk. */
  end(chunk?: string): string
}

let last: { readonly key: string; readonly redactor: Redactor } | undefined

/** @param names variables that are secret even if their names contain no word such as TOKEN */
export function openRedactor(
  envs: readonly Readonly<Record<string, string | undefined>>[],
  { names, others = [] }: { readonly names?: readonly string[]; readonly others?: readonly Secret[] } = {},
): { readonly redactor: Redactor; readonly problem?: MdtestError } {
  const collected = envs.map((env) => collectSecrets(env, names))
  const problem = collected.find((each) => each.problem !== undefined)?.problem
  const secrets = [...collected.flatMap((each) => each.secrets), ...others]
  // Reuses the last redactor: making one takes milliseconds, and most scenarios of a worker have the same secrets.
  const key = JSON.stringify(secrets)
  if (last?.key !== key) last = { key, redactor: createRedactor(secrets) }
  return { redactor: last.redactor, ...(problem && { problem }) }
}

/** Does not find secrets in pictures, in base64 with line breaks, or in encodings that `secretPatterns` lacks. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  let made: Search | undefined
  const createStream = (): StreamRedactor => openStream((made ??= createSearch(secrets)))
  return { redact: (text) => (text === '' || secrets.length === 0 ? text : createStream().end(text)), createStream }
}

type Search = ReturnType<typeof createSearch>

function createSearch(secrets: readonly Secret[]) {
  const owners = new Map<string, string>()
  for (const { name, value } of secrets) {
    // If two secrets share a pattern, the pattern is replaced with the name of the first secret.
    for (const pattern of secretPatterns(value)) if (!owners.has(pattern)) owners.set(pattern, name)
  }
  // In reverse order, a pattern comes before its own prefixes, so the longest match wins.
  const patterns = [...owners.keys()].toSorted().toReversed()
  const fence = unusedChar(patterns.join('')).repeat(3)
  const markOf = (name: string): string =>
    patterns.some((pattern) => name.includes(pattern)) ? fence.repeat(2) : `${fence}${name}${fence}`
  return {
    expression: new RegExp(patterns.map(quoteRegex).join('|') || '(?!)', 'g'),
    patterns,
    marks: new Map([...owners].map(([pattern, name]) => [pattern, markOf(name)])),
  }
}

/** Finds a character that no pattern contains: a mark such as `***NAME***` then never overlaps with a pattern. */
function unusedChar(used: string): string {
  const familiar = ['*', '#', '~', '|'].find((char) => !used.includes(char))
  if (familiar !== undefined) return familiar
  let code = 0x2588 // the character █
  while (used.includes(String.fromCharCode(code))) code += 1
  return String.fromCharCode(code)
}

/** Longer runs of overlapping secrets are cut, so that a stream does not collect them in memory. */
const maxRunCharacters = 64 * 1024

function openStream(search: Search): StreamRedactor {
  let held = ''
  const settle = (text: string, hold: (text: string, from: number) => number): string => {
    let output = ''
    let at = 0
    let open = hold(text, at)
    for (;;) {
      const run = findRun(search.expression, text, at)
      const isCut = run !== undefined && run.start < open && run.end - run.start > maxRunCharacters
      if (run === undefined || open <= run.start || (open < run.end && !isCut)) {
        const upTo = Math.min(open, run?.start ?? text.length)
        held = text.slice(upTo)
        return output + text.slice(at, upTo)
      }
      output += text.slice(at, run.start) + (search.marks.get(run.longest) ?? '')
      at = Math.min(run.end, open)
      if (open < at) open = hold(text, at)
    }
  }
  return {
    write: (chunk) => settle(held + chunk, (text, from) => firstUnfinished(search.patterns, text, from)),
    end: (chunk = '') => settle(held + chunk, ({ length }) => length),
  }
}

/** Finds the next secret. Secrets that overlap count as one run, with the name of the longest. */
function findRun(expression: RegExp, text: string, from: number) {
  let run: { readonly start: number; readonly end: number; readonly longest: string } | undefined
  for (expression.lastIndex = from; ;) {
    const found = expression.exec(text)
    if (found === null || (run !== undefined && found.index >= run.end)) return run
    const [pattern] = found
    run = {
      start: run?.start ?? found.index,
      end: Math.max(run?.end ?? 0, found.index + pattern.length),
      longest: run === undefined || pattern.length > run.longest.length ? pattern : run.longest,
    }
    expression.lastIndex = found.index + 1
  }
}

function firstUnfinished(patterns: readonly string[], text: string, from: number): number {
  let first = text.length
  for (const pattern of patterns) {
    let at = text.indexOf(pattern.charAt(0), Math.max(from, text.length - pattern.length + 1))
    while (at !== -1 && at < first && !pattern.startsWith(text.slice(at))) at = text.indexOf(pattern.charAt(0), at + 1)
    if (at !== -1 && at < first) first = at
  }
  return first
}
