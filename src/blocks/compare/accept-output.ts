import { compareLines } from '../expected-output/compare-lines.ts'
import type { Edit } from '../expected-output/edit.ts'
import { type RewrittenLine, rewriteInPlace } from '../expected-output/rewrite-lines.ts'
import type { Rewrite } from '../expected-output/rewrite-source.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { Comparison, StreamResult } from './comparison.ts'

/** What a block printed made what is expected of it, or why that cannot be. */
export type Acceptance =
  | { readonly ok: true; readonly rewrites: readonly Rewrite[]; readonly captures: ReadonlyMap<string, string> }
  /** `refusal` says why and what to do; absent where output is not what is wrong. */
  | { readonly ok: false; readonly refusal?: string }

/** The rewrites after which all streams of a command, and the exit code of a transcript, are as expected. */
export function acceptOutput(comparison: Comparison, results: readonly StreamResult[]): Acceptance {
  const { expectedExitCode, actualExitCode, redact } = comparison
  // The exit code of a script stands in an attribute: what it should be is for the user to say.
  const isExitWritten = results.some(({ stream }) => stream.form !== 'fence')
  const isExitWrong = expectedExitCode !== actualExitCode && !isExitWritten
  if (isExitWrong || results.some(({ result }) => result.status === 'too-slow')) return { ok: false }
  const captures = new Map(comparison.captures)
  const rewrites: Rewrite[] = []
  for (const compared of results) {
    const lines = rewrittenLines(compared)
    const expected = lines.map((line) => (typeof line === 'number' ? (compared.stream.expected[line] ?? '') : line))
    const again = compareLines(expected, compared.actual, { captures, form: compared.stream.form })
    if (again.status !== 'match') return { ok: false, refusal: unwritable }
    for (const [name, value] of again.captures) captures.set(name, value)
    if (holdsSecret(compared, lines, redact)) return { ok: false, refusal: secret }
    const rewrite = toRewrite(compared, lines, comparison)
    if (rewrite !== undefined) rewrites.push(rewrite)
  }
  return { ok: true, rewrites, captures }
}

const unwritable = 'The output cannot be written so that it matches. Write the lines by hand.'
const secret =
  'The output holds a secret, which is never written into a spec. Write a pattern in its place, such as `token: * (glob)`.'

function rewrittenLines({ stream, result }: StreamResult): readonly RewrittenLine[] {
  if (result.status === 'differs') return rewriteInPlace(result.edits, stream.form)
  // Once the exit code below has changed, a last line may look like one.
  const kept = stream.expected.map((text, index): Edit => ({ kind: 'kept', text, index, lines: [text] }))
  return rewriteInPlace(kept, stream.form)
}

/** Whether a line that is new would show one. Patterns that stay hide theirs. */
function holdsSecret({ result, actual }: StreamResult, lines: readonly RewrittenLine[], redact: Redact): boolean {
  if (result.status !== 'differs') return false
  const written = lines.filter((line) => typeof line === 'string').join('\n')
  if (redact(written) !== written) return true
  // One of several lines shows in the whole only.
  const shown = result.edits.flatMap((edit) => {
    if (edit.kind === 'extra') return [edit.line]
    return edit.kind === 'kept' ? edit.lines.map(redact) : []
  })
  const whole = redact(actual.lines.join('\n'))
  return whole !== actual.lines.join('\n') && whole !== shown.join('\n')
}

/** Undefined where nothing in the file changes. */
function toRewrite(
  { stream }: StreamResult,
  lines: readonly RewrittenLine[],
  { expectedExitCode, actualExitCode }: Comparison,
): Rewrite | undefined {
  const { fenceLine, line, source: before, expected } = stream
  const rest = before.slice(expected.length).map((_, at) => expected.length + at)
  const isExitKept = expectedExitCode === actualExitCode
  const exit = isExitKept ? rest : actualExitCode === 0 ? [] : [`[${actualExitCode}]`, ...rest.slice(1)]
  const after = [...lines, ...exit]
  const isSame = after.length === before.length && after.every((each, at) => each === at)
  return isSame ? undefined : { fenceLine, line, before, after }
}
