import { digestParts } from '../digest-parts.ts'
import type { ParsedRecording, RecordedStep } from './recording.ts'
import type { SpecProblem, Block, Place } from '../spec.ts'
import { unixText } from '../../system/text/plain-text.ts'
import { placeOf } from '../markdown/positions-and-placeholders.ts'
import { readBody } from '../markdown/read-body.ts'
import { leadingComments } from '../markdown/section-content.ts'
import { buildSections, withChildren, type Outline, type Section } from '../sections/build-sections.ts'
import type { Report } from '../rules/spec-rules.ts'
import { reportUnread } from '../rules/unread.ts'
import { orderProblems } from '../problems.ts'
import { readSource } from '../read-source.ts'
import { keyLength, keysVersion } from './step-keys.ts'
import { parseWords } from '../front-matter/value-forms.ts'
import type { DirectiveComment } from '../blocks/attributes-and-directives.ts'
import { createBlocks } from '../blocks/create-blocks.ts'
import { expectationsOf } from '../blocks/expectations-of.ts'
import { countsAsCheck } from '../../blocks/expected-output/counts-as-check.ts'
import { parseExpected } from '../../blocks/expected-output/parse-expected.ts'

/** A heading with `<!-- mdtest: key=… -->` has the blocks of one step below it. `file` is named, but not read. */
export function parseRecording(source: string | Uint8Array, file: string): ParsedRecording {
  const problems: SpecProblem[] = []
  const report: Report = (ruleId, { line, column }, message) => problems.push({ file, line, column, ruleId, message })
  const conflict = findConflict(typeof source === 'string' ? source : Buffer.from(source).toString('utf8'))
  if (conflict !== undefined) report('recording-mark', conflict, conflictMessage)
  const read = conflict === undefined ? readSource(source, report) : undefined
  if (read === undefined) return { recording: { file, steps: [] }, problems, sections: [] }
  const outline = buildSections(read.root.children)
  const steps = readSteps(outline, { text: read.text, file, report })
  reportTwins(steps, report)
  reportUnread(read, { isAgentNone: true, isForeign: true, report })
  const of = read.frontMatter.values.get('recording-of')
  const keys = String(read.frontMatter.values.get('keys') ?? 'unknown')
  const recording = {
    file,
    steps,
    ...(typeof of === 'string' && { of }),
    ...(typeof of === 'string' && keys !== String(keysVersion) && { otherKeys: keys }),
  }
  return { recording, problems: orderProblems(problems, file), sections: outline.sections }
}

const conflictMessage = 'From here on a merge has left two versions. Keep one of them, or run `mdtest record` again.'

interface ReadContext {
  readonly text: string
  readonly file: string
  readonly report: Report
}

function readSteps({ preamble, sections }: Outline, context: ReadContext): readonly RecordedStep[] {
  const first = preamble.find(({ type }) => type === 'code')
  if (first !== undefined) {
    context.report('recording-key', placeOf(first), 'This block belongs to no step: no heading stands above it.')
  }
  return sections.flatMap((top) =>
    withChildren([top]).flatMap((section) => {
      const step = readStep(section, context)
      return step ? [{ ...step, ...(section !== top && { scenario: top.title }) }] : []
    }),
  )
}

/** `undefined` for a heading that only groups steps. */
function readStep(section: Section, { text, file, report }: ReadContext): RecordedStep | undefined {
  const items = readBody(section.nodes, { text })
  const leadLength = leadingComments(items)
  const lead = items.slice(0, leadLength).filter((item) => item.kind === 'directive')
  const { key, ...marks } = readMarks(lead, report)
  const { blocks } = createBlocks(items.slice(leadLength), { isAgentNone: true, report })
  const { line, column, title } = section
  if (key === undefined) {
    if (blocks.length > 0 || lead.length > 0) report('recording-key', { line, column }, withoutKeyMessage)
    return undefined
  }
  checkRecordedBlocks(blocks, section, report)
  if (marks.seal !== undefined && marks.seal !== sealOf(blocks, text.split('\n'))) {
    const message = `The blocks were changed after they were recorded. To keep the change, shorten the key to its first ${keyLength} digits, \`key=${key}\`. Otherwise record the step again with \`mdtest record\`.`
    report('recording-key', { line, column }, message)
  }
  return {
    ...{ title, line, column, endLine: section.nodes.at(-1)?.position?.end.line ?? line, key },
    ...marks,
    blocks: blocks.map((block) => ({ ...block, file, isRecorded: true })),
  }
}

const withoutKeyMessage = 'A recorded step needs `<!-- mdtest: key=… -->` under its heading. Run `mdtest record` again.'

type Marks = Partial<Record<'key' | 'seal' | 'by' | 'on', string>>

function readMarks(comments: readonly DirectiveComment[], report: Report): Marks {
  const marks: Marks = {}
  for (const word of comments.flatMap(({ text, start }) => parseWords(text, start))) {
    const { name, value = '', isBroken } = word
    if (isBroken || Object.hasOwn(marks, name))
      report('recording-mark', word, `\`${word.raw}\` cannot be read, or stands here twice.`)
    else if (name === 'key' && /^(?:[\da-f]{8}){1,2}$/.test(value)) {
      marks.key = value.slice(0, keyLength)
      if (value.length > keyLength) marks.seal = value.slice(keyLength)
    } else if ((name === 'by' && value !== '') || (name === 'on' && /^\d{4}-\d\d-\d\d$/.test(value)))
      marks[name] = value
    else
      report('recording-mark', word, `\`${word.raw}\` means nothing in a recording. Known: \`key=\`, \`by=\`, \`on=\`.`)
  }
  return marks
}

function reportTwins(steps: readonly RecordedStep[], report: Report): void {
  const seen = new Map<string, RecordedStep>()
  for (const step of steps) {
    const twin = seen.get(step.key)
    const message = `The key \`${step.key}\` stands on line ${twin?.line}, too. Leave one of the two steps.`
    if (twin === undefined) seen.set(step.key, step)
    else report('recording-key', step, message)
  }
}

/** The place where a merge left two versions. No step of such a recording is read. */
function findConflict(text: string): Place | undefined {
  const lines = unixText(text).split('\n')
  const start = lines.findIndex((line) => /^<{7}(?: |$)/.test(line))
  const middle = lines.indexOf('=======', start)
  const hasEnd = lines.slice(middle).some((line) => /^>{7}(?: |$)/.test(line))
  return start !== -1 && middle > start && hasEnd ? { line: start + 1, column: 1 } : undefined
}

/** Reports a recorded step whose replay would prove nothing, and patterns that cannot be read. */
function checkRecordedBlocks(blocks: readonly Block[], heading: Place, report: Report): void {
  const expectations = blocks.flatMap(expectationsOf)
  for (const { line, lines } of expectations) {
    for (const problem of parseExpected(lines).problems) {
      report('bad-pattern', { line: line + problem.line, column: problem.index + 1 }, problem.message)
    }
  }
  if (blocks.length === 0) {
    report('recording-blocks', heading, 'The step holds no block, so its replay would prove nothing.')
  } else if (!expectations.some(({ lines }) => lines.some(countsAsCheck))) {
    const message = 'A replay of this step would pass whatever the product prints. Write lines that it has to print.'
    report('recording-blocks', heading, message)
  }
  for (const block of blocks) {
    if (block.attributes.skip === true)
      report('recording-blocks', block, 'A block of a recording cannot be skipped: the step would pass without it.')
  }
}

/** Hexadecimal digits of a seal: 32 bits are enough to notice a change. */
const sealLength = 8

/** A checksum of the blocks, without the text around them. `lines` are all lines of the recording. */
export function sealOf(blocks: readonly Block[], lines: readonly string[]): string {
  const infoAt = (line: number): string => (lines[line - 1] ?? '').replace(/^[\s>]*[`~]+/, '').trim()
  const parts = blocks.flatMap((block) => {
    const expected = block.kind === 'script' ? block.expected : []
    return [
      infoAt(block.line),
      block.code,
      // `attributes` also contain the directives above the block.
      JSON.stringify(Object.entries(block.attributes).toSorted(([one], [other]) => (one < other ? -1 : 1))),
      ...expected.flatMap(({ line, text }) => [infoAt(line - 1), text]),
    ]
  })
  return digestParts(parts).slice(0, sealLength)
}
