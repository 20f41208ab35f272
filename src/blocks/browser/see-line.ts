import { compareLines } from '../expected-output/compare-lines.ts'
import { countsAsCheck } from '../expected-output/counts-as-check.ts'
import { formatLineDiff } from '../expected-output/format-diff.ts'
import { nameUses, parseExpected } from '../expected-output/parse-expected.ts'
import { mostAlike } from '../../system/text/plain-text.ts'

export type SeenLine =
  | { readonly ok: true; readonly captures: ReadonlyMap<string, string> }
  /** `isFinal`: waiting for another page would not help. `message`: absent if only the page is not as expected. */
  | { readonly ok: false; readonly isFinal: boolean; readonly message?: string | undefined }

interface Page {
  readonly lines: readonly string[]
  readonly captures: ReadonlyMap<string, string>
}

export function seeLine(
  { text, isAbsent }: { readonly text: string; readonly isAbsent: boolean },
  { lines, captures }: Page,
): SeenLine {
  const parsed = parseExpected([text])
  const [problem] = parsed.problems
  if (problem !== undefined) return fault(problem.message, true)
  if (!countsAsCheck(text)) return fault('This would hold for any page. Name one line of it.', true)
  const uses = nameUses(parsed)
  const unknown = uses.find((use) => use.kind === 'recall' && !captures.has(use.name))
  const isOwn = uses.some((use) => use.kind === 'capture' && use.name === unknown?.name)
  if (unknown && !isOwn) return fault(`Nothing that ran before has captured \`{{${unknown.name}}}\`.`, true)
  const found = compareLines(['...', text, '...'], { lines, isUnfinished: false }, { captures })
  if (found.status === 'too-slow') {
    const message = `The pattern takes more than ${found.limitMs} ms to compare. Write it without repetitions inside of repetitions.`
    return fault(message, true)
  }
  if (found.status === 'differs') return isAbsent ? { ok: true, captures: new Map() } : fault()
  if (isAbsent) return fault()
  const other = otherValues(text, { lines, captures }, found.captures)
  if (other === undefined) return { ok: true, captures: found.captures }
  const values = other.map((value) => `\`${value}\``).join(' and ')
  return fault(`Several lines of the page fit, with different values: ${values}. Write more of the line.`)
}

function fault(message?: string, isFinal = false): SeenLine {
  return { ok: false, isFinal, message }
}

/** Finds a line that gives a capture a second value. With two values, the capture is ambiguous. */
function otherValues(
  text: string,
  { lines, captures }: Page,
  found: ReadonlyMap<string, string>,
): readonly [string, string] | undefined {
  if (found.size === 0) return undefined
  const prefix = text.slice(0, text.indexOf('{{'))
  for (const line of new Set(lines)) {
    if (!line.startsWith(prefix)) continue
    const alone = compareLines([text], { lines: [line], isUnfinished: false }, { captures })
    if (alone.status !== 'match') continue
    for (const [name, value] of found) {
      const other = alone.captures.get(name)
      if (other !== undefined && other !== value) return [value, other]
    }
  }
  return undefined
}

export function missingLineDiff(text: string, lines: readonly string[]): string {
  const near = lines[mostAlike(text, lines, 0)] ?? '(the page has nothing like it)'
  return formatLineDiff([
    { mark: '-', text },
    { mark: '+', text: near },
  ])
}

export function similarControls(code: string, lines: readonly string[]): readonly string[] {
  const role = [...code.matchAll(/getByRole\(['"](\w+)/g)].at(-1)?.[1]
  const words = new Set([...code.matchAll(/'([^']*)'|"([^"]*)"/g)].flatMap(([text]) => wordsOf(text)))
  const shared = (line: string): number => wordsOf(line).filter((word) => words.has(word)).length
  const controls = lines.filter((line) =>
    role === undefined ? shared(line) > 0 : roleOf(line) === role && line.includes('"'),
  )
  const heads = controls.map((line) => /^'?[\w-]+(?: "(?:[^"\\]|\\.)*")?/.exec(line)?.[0].replace(/^'/, '') ?? line)
  return [...new Set(heads)].toSorted((a, b) => shared(b) - shared(a)).slice(0, maxSimilar)
}

const maxSimilar = 6

function roleOf(line: string): string {
  return /^'?([\w/-]+)/.exec(line)?.[1] ?? ''
}

function wordsOf(line: string): readonly string[] {
  return line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
