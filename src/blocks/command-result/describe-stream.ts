import { compareLines, type Recalled } from '../expected-output/compare-lines.ts'
import { type Edit, firstDifference } from '../expected-output/align-lines.ts'
import { escapeLine } from '../expected-output/escape-line.ts'
import { type DiffLine, formatLineDiff } from '../expected-output/format-diff.ts'
import { rewriteLines, writeEdit } from '../expected-output/write-expected.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { ComparedStream, Comparison, StreamResult } from './comparison.ts'

const maxValueLength = 200

export function describeStream(
  { stream, actual, result }: StreamResult,
  { what, redact }: Pick<Comparison, 'what' | 'redact'>,
): { readonly message: string; readonly line: number } | undefined {
  const { name, line, form } = stream
  if (result.status === 'match') return undefined
  if (result.status === 'too-slow') {
    const message = `${what}: this pattern takes more than ${result.limitMs} ms to compare. Repetitions inside of repetitions, such as \`(a+)+\`, need ever more time with each character: write it without.`
    return { message, line: line + result.index }
  }
  const edits = redactEdits(result.edits, { stream, actual, redact })
  const expected = redactLines(stream.expected, redact).join('\n')
  const isSecret = edits.length === 0 || rewriteLines(edits, form).join('\n') === expected
  const difference = isSecret ? secretMessage : formatDifference(edits, stream)
  const message = `${what}: ${name} is not as expected${difference}${describeRecalled(result.recalled, redact)}`
  return { message, line: line + firstDifference(result.edits) }
}

const secretMessage = '; it differs in a secret, which is not shown.'

function formatDifference(edits: readonly Edit[], { form, line }: ComparedStream): string {
  const lines = edits.map((edit): DiffLine => {
    const text = writeEdit(edit, form)
    if (edit.kind === 'extra') return { mark: '+', text, raw: edit.line }
    if (edit.kind === 'unmarked') return { mark: '+', text }
    return { mark: edit.kind === 'lost' ? '-' : ' ', text, line: line + edit.index }
  })
  return ` (- expected, + actual):\n${formatLineDiff(lines)}`
}

function describeRecalled(recalled: readonly Recalled[], redact: Redact): string {
  const lines = recalled.map(({ name, value }) =>
    value === undefined
      ? `Nothing that ran before has captured \`{{${name}}}\`.`
      : `\`{{${name}}}\` is \`${escapeLine(redact(value).slice(0, maxValueLength))}\`.`,
  )
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`
}

/** Redacts edits. If the two sides differ only in a secret, the result is empty. */
function redactEdits(
  edits: readonly Edit[],
  { stream, actual, redact }: Pick<StreamResult, 'stream' | 'actual'> & { readonly redact: Redact },
): readonly Edit[] {
  const sides = [stream.expected, actual.lines]
  if (sides.every((lines) => redact(lines.join('\n')) === lines.map(redact).join('\n'))) {
    return edits.map((edit) => redactEdit(edit, redact))
  }
  // Compare again: redaction turns a secret of several lines into one line, so the edits no longer fit.
  const [expected = [], lines = []] = sides.map((side) => redactLines(side, redact))
  const result = compareLines(expected, { ...actual, lines }, { captures: new Map() })
  return result.status === 'differs' ? result.edits : []
}

function redactEdit(edit: Edit, redact: Redact): Edit {
  if (edit.kind === 'extra') return { ...edit, line: redact(edit.line) }
  const text = redact(edit.text)
  return edit.kind === 'kept' ? { ...edit, text, lines: edit.lines.map(redact) } : { ...edit, text }
}

function redactLines(lines: readonly string[], redact: Redact): readonly string[] {
  return lines.length === 0 ? lines : redact(lines.join('\n')).split('\n')
}
