import { formatTail } from './format-tail.ts'
import { describeStream } from './describe-stream.ts'
import type { Comparison, Difference, StreamResult } from './comparison.ts'
import { readOutput } from '../expected-output/output-lines.ts'
import { compareLines } from '../expected-output/compare-lines.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { Rewrite } from '../expected-output/rewrite-markdown.ts'
import { type RewrittenLine, rewriteInPlace } from '../expected-output/write-expected.ts'
import type { Edit } from '../expected-output/align-lines.ts'
import { isBroken } from '../shell/failed-line.ts'
import { describeExit } from '../../system/text/wording.ts'

/** Describes the difference; `undefined` if nothing differs, or if the spec is rewritten. */
export function compareOutput(comparison: Comparison): Difference | undefined {
  const { what, redact, line, failure, expectedExitCode, actualExitCode, printed } = comparison
  const results = compareStreams(comparison)
  const isExitWrong = expectedExitCode !== actualExitCode
  if (!isExitWrong && results.every(({ result }) => result.status === 'match')) {
    for (const { result } of results) if (result.status === 'match') addAll(comparison.captures, result.captures)
    return undefined
  }
  const update = updateOutput(comparison, results)
  if (update.isDone) return undefined
  const problems = results.flatMap((result) => {
    const problem = describeStream(result, { what, redact })
    return problem === undefined ? [] : { ...problem, stream: result.stream.name }
  })
  const isShown = (name: string): boolean => problems.some(({ stream }) => stream === name || stream === 'output')
  const unshown = { stdout: isShown('stdout') ? '' : printed.stdout, stderr: isShown('stderr') ? '' : printed.stderr }
  const exitMessage = `${what} ${describeExit(actualExitCode)}, expected ${expectedExitCode}.`
  const parts = [
    ...(isExitWrong ? [[exitMessage, failure].filter((part) => part !== undefined).join(' ')] : []),
    ...problems.map(({ message }) => message),
    ...(isExitWrong ? [formatTail(unshown, redact)] : []),
    ...(update.refusal === undefined ? [] : [update.refusal]),
  ]
  return {
    message: parts.filter((part) => part !== '').join('\n\n'),
    line: (isExitWrong && failure !== undefined ? undefined : problems[0]?.line) ?? line,
    ...(!isExitWrong && { isOutputOnly: true }),
    ...(isBroken({ ...printed, exitCode: actualExitCode }, expectedExitCode) && { isBroken: true }),
  }
}

/** Compares streams in order, because a stream can recall captures of the stream before it. */
function compareStreams({ streams, captures }: Comparison): readonly StreamResult[] {
  const known = new Map(captures)
  return streams.map((stream) => {
    const actual = readOutput(stream.printed)
    const result = compareLines(stream.expected, actual, { captures: known })
    if (result.status === 'match') addAll(known, result.captures)
    return { stream, actual, result }
  })
}

function updateOutput(comparison: Comparison, results: readonly StreamResult[]) {
  const { update, captures } = comparison
  if (update === undefined) return { isDone: false }
  const accepted = acceptOutput(comparison, results)
  if (!accepted.ok) return { isDone: false, refusal: accepted.refusal && `Not rewritten: ${accepted.refusal}` }
  const refusal = accepted.rewrites.map((rewrite) => update.refuse(rewrite)).find((reason) => reason !== undefined)
  if (refusal !== undefined) return { isDone: false, refusal: `Not rewritten: ${refusal}` }
  update.rewrites.push(...accepted.rewrites)
  addAll(captures, accepted.captures)
  return { isDone: true }
}

function addAll(to: Map<string, string>, from: ReadonlyMap<string, string>): void {
  for (const [name, value] of from) to.set(name, value)
}

export type Acceptance =
  | { readonly ok: true; readonly rewrites: readonly Rewrite[]; readonly captures: ReadonlyMap<string, string> }
  /** `refusal`: why mdtest cannot write this output, and what to do. Absent if the exit code or a pattern is wrong. */
  | { readonly ok: false; readonly refusal?: string }

export function acceptOutput(comparison: Comparison, results: readonly StreamResult[]): Acceptance {
  const { expectedExitCode, actualExitCode, redact } = comparison
  // Never rewrite the exit code of a script: it is an attribute, which only the user may change.
  const isExitWritten = results.some(({ stream }) => stream.form !== 'fence')
  const isExitWrong = expectedExitCode !== actualExitCode && !isExitWritten
  if (isExitWrong || results.some(({ result }) => result.status === 'too-slow')) return { ok: false }
  const captures = new Map(comparison.captures)
  const rewrites: Rewrite[] = []
  for (const compared of results) {
    const lines = rewrittenLines(compared)
    const expected = lines.map((line) => (typeof line === 'number' ? (compared.stream.expected[line] ?? '') : line))
    const again = compareLines(expected, compared.actual, { captures })
    if (again.status !== 'match') return { ok: false, refusal: unwritable }
    addAll(captures, again.captures)
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
  // Rewrite matching lines, too: if the exit code is removed, the line above could be read as an exit code.
  const kept = stream.expected.map((text, index): Edit => ({ kind: 'kept', text, index, lines: [text] }))
  return rewriteInPlace(kept, stream.form)
}

/** Whether a new line would show a secret. Old lines are safe: a pattern that matches a secret does not show it. */
function holdsSecret({ result, actual }: StreamResult, lines: readonly RewrittenLine[], redact: Redact): boolean {
  if (result.status !== 'differs') return false
  const written = lines.filter((line) => typeof line === 'string').join('\n')
  if (redact(written) !== written) return true
  // The redactor finds a secret of several lines only in the whole output.
  const shown = result.edits.flatMap((edit) => {
    if (edit.kind === 'extra') return [edit.line]
    return edit.kind === 'kept' ? edit.lines.map(redact) : []
  })
  const whole = redact(actual.lines.join('\n'))
  return whole !== actual.lines.join('\n') && whole !== shown.join('\n')
}

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
