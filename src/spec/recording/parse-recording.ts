import { createBlocks } from '../blocks/create-blocks.ts'
import type { DirectiveComment } from '../blocks/parse-directives.ts'
import { parseWords } from '../front-matter/parse-words.ts'
import { readSource, type Source } from '../read-source.ts'
import { orderProblems } from '../problems.ts'
import type { Report } from '../rules/spec-rules.ts'
import { buildSections, type Outline, type Section } from '../sections/build-sections.ts'
import { readBody } from '../sections/read-body.ts'
import type { Block, SpecProblem } from '../spec.ts'
import type { ParsedRecording, RecordedStep, RecordingHeading } from './recording.ts'

/**
 * Parses an `X.recording.md`: each heading with a comment `<!-- mdtest: key=… -->` holds the blocks of one step. Never
 * throws; a recording with problems must not be replayed.
 *
 * @param file absolute path; it is not read
 */
export function parseRecording(source: string | Uint8Array, file: string): ParsedRecording {
  const problems: SpecProblem[] = []
  const report: Report = (ruleId, { line, column }, message) => problems.push({ file, line, column, ruleId, message })
  const read = readSource(source, report)
  const outline = read === undefined ? undefined : buildSections(read.root.children)
  const steps = read === undefined || outline === undefined ? [] : readSteps(read, { outline, file, report })
  reportTwins(steps, report)
  const of = read?.frontMatter.values.get('recording-of')
  const recording = { file, steps, ...(typeof of === 'string' && { of }) }
  return { recording, problems: orderProblems(problems, file), headings: headingsOf(outline?.sections ?? []) }
}

interface ReadContext {
  readonly outline: Outline
  readonly file: string
  readonly report: Report
}

function readSteps(source: Source, context: ReadContext): readonly RecordedStep[] {
  const { preamble, sections } = context.outline
  const first = preamble.find(({ type }) => type === 'code')
  if (first !== undefined) {
    const { line = 1, column = 1 } = first.position?.start ?? {}
    context.report('recording-key', { line, column }, 'This block belongs to no step: no heading stands above it.')
  }
  return sections.flatMap((top) =>
    withChildren([top]).flatMap((section) => {
      const step = readStep(section, source, context)
      return step ? [{ ...step, ...(section !== top && { scenario: top.title }) }] : []
    }),
  )
}

function withChildren(sections: readonly Section[]): readonly Section[] {
  return sections.flatMap((section) => [section, ...withChildren(section.children)])
}

function headingsOf(sections: readonly Section[]): readonly RecordingHeading[] {
  return sections.flatMap((top) =>
    withChildren([top]).map((one) => ({ line: one.line, title: one.title, isTop: one === top })),
  )
}

/** `undefined` for a heading that only groups steps. */
function readStep(
  section: Section,
  { text }: Source,
  { file, report }: Pick<ReadContext, 'file' | 'report'>,
): RecordedStep | undefined {
  const items = readBody(section.nodes, { text, report, languages: [] }).filter(({ kind }) => kind !== 'comment')
  const rest = items.findIndex(({ kind }) => kind !== 'directive')
  const lead = items.slice(0, rest === -1 ? items.length : rest)
  const { key, by, on } = readMarks(
    lead.filter((item) => item.kind === 'directive'),
    report,
  )
  const { blocks } = createBlocks(items.slice(lead.length), { isAgentNone: true, report, languages: [] })
  const { line, column, title } = section
  if (key === undefined) {
    if (blocks.length > 0 || lead.length > 0) report('recording-key', { line, column }, withoutKeyMessage)
    return undefined
  }
  if (blocks.length === 0) {
    report('recording-blocks', { line, column }, 'The step holds no block, so its replay would prove nothing.')
  }
  for (const block of blocks) reportLeftOut(block, report)
  const endLine = section.nodes.at(-1)?.position?.end.line ?? line
  return {
    title,
    line,
    column,
    endLine,
    key,
    ...by,
    ...on,
    blocks: blocks.map((block) => ({ ...block, file, isRecorded: true })),
  }
}

const withoutKeyMessage =
  'A step of a recording needs its key, `<!-- mdtest: key=… -->`, right under its heading. Record it again with `mdtest record`.'

interface Marks {
  readonly key?: string
  readonly by?: { readonly by: string }
  readonly on?: { readonly on: string }
}

function readMarks(comments: readonly DirectiveComment[], report: Report): Marks {
  let marks: Marks = {}
  for (const word of comments.flatMap(({ text, start }) => parseWords(text, start))) {
    const { name, value = '', isBroken } = word
    if (isBroken || Object.hasOwn(marks, name))
      report('recording-mark', word, `\`${word.raw}\` cannot be read, or stands here twice.`)
    else if (name === 'key' && /^[\da-f]{8,64}$/.test(value)) marks = { ...marks, key: value }
    else if (name === 'by' && value !== '') marks = { ...marks, by: { by: value } }
    else if (name === 'on' && /^\d{4}-\d\d-\d\d$/.test(value)) marks = { ...marks, on: { on: value } }
    else
      report('recording-mark', word, `\`${word.raw}\` means nothing in a recording. Known: \`key=\`, \`by=\`, \`on=\`.`)
  }
  return marks
}

/** A recording whose blocks are left out would pass for a step that nobody carried out. */
function reportLeftOut(block: Block, report: Report): void {
  if (block.attributes.skip === true) {
    report('recording-blocks', block, 'A block of a recording cannot be skipped: the step would pass without it.')
  }
}

function reportTwins(steps: readonly RecordedStep[], report: Report): void {
  const seen = new Map<string, RecordedStep>()
  for (const step of steps) {
    const twin = seen.get(step.key)
    if (twin === undefined) seen.set(step.key, step)
    else
      report(
        'recording-key',
        step,
        `The key \`${step.key}\` stands on line ${twin.line}, too. Leave one of the two steps.`,
      )
  }
}
