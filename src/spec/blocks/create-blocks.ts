import { classifyFence, type Fence, describeForeign, listExecuted } from './fence.ts'
import { reportConflicts, reportDuplicateFiles } from './check-blocks.ts'
import { type DirectiveComment, parseAttributes, parseDirectives } from './words.ts'
import type { BodyItem } from '../markdown/read-body.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Block, BlockAttributes } from '../spec.ts'
import { holdsMarkdown } from '../rules/swallowed.ts'
import { parseTranscript } from './parse-transcript.ts'
import type { Word } from '../front-matter/value-forms.ts'

export interface BlocksOfText {
  readonly blocks: readonly Block[]
  /** There is text, be it for the agent or, without one, documentation. */
  readonly hasProse: boolean
  /** There is a block that is marked `skip`, without an agent; with one it is among `blocks`. */
  readonly hasLeftOut: boolean
}

export function createBlocks(items: readonly BodyItem[], context: BlockContext): BlocksOfText {
  const blocks: Block[] = []
  let comments: DirectiveComment[] = []
  let before: Predecessor
  let hasProse = false
  let hasLeftOut = false
  for (const item of items) {
    if (item.kind === 'comment') continue
    if (item.kind === 'directive') {
      comments.push(item)
      continue
    }
    const use = item.kind === 'fence' ? classifyFence(item, { ...context, followsBlock: blocks.length > 0 }) : 'prose'
    if (item.kind === 'fence') reportOpenFence(item, use === 'block' || context.isAgentNone, context.report)
    if (use !== 'block' && use !== 'passed-over') reportMisplaced(comments, context.report)
    if (item.kind === 'fence' && use === 'block') {
      const block = createBlock(item, comments, context)
      if (block !== undefined) blocks.push(block)
      before = block ?? 'left-out'
    } else if (item.kind === 'fence' && use === 'output') {
      before = addOutput(item, before, context.report)
      if (typeof before === 'object') blocks.splice(-1, 1, before)
    } else {
      if (item.kind === 'fence' && use === 'passed-over') reportPassedOver(item, comments, context)
      before = use === 'prose' ? undefined : 'left-out'
      hasLeftOut ||= use !== 'prose'
      hasProse ||= item.kind !== 'break'
    }
    comments = []
  }
  reportMisplaced(comments, context.report)
  for (const block of blocks) reportConflicts(block, context.report)
  return { blocks: filesFirst(blocks, context.report), hasProse, hasLeftOut }
}

function filesFirst(blocks: readonly Block[], report: Report): readonly Block[] {
  const files = blocks.filter(({ kind }) => kind === 'file')
  reportDuplicateFiles(files, report)
  return [...files, ...blocks.filter(({ kind }) => kind !== 'file')]
}

function reportMisplaced(comments: readonly DirectiveComment[], report: Report): void {
  for (const comment of comments) {
    const message =
      'The directive would be ignored here. Put it right under a heading or directly above an executed block.'
    report('misplaced-directive', comment, message)
  }
}

/** A forgotten end takes in all that follows: blocks and steps that would never run. */
function reportOpenFence(fence: Fence, isExecuted: boolean, report: Report): void {
  if (fence.isClosed || (!isExecuted && !holdsMarkdown(fence.code))) return
  const message = `This code block is never closed, so all that follows is read as part of it. Add a line with only ${fence.marker} where it should end.`
  report('unterminated-fence', fence, message)
}

type Predecessor = Block | 'left-out' | undefined

/** Gives the block before an `output` fence with the output added, or unchanged where it cannot have one. */
function addOutput(fence: Fence, before: Predecessor, report: Report): Predecessor {
  for (const word of fence.words) {
    const message = `\`${word.raw}\` is no attribute of an \`${fence.language}\` fence. Put attributes on the script.`
    report('unknown-attribute', word, message)
  }
  if (before === 'left-out') return before
  if (before?.kind === 'console') {
    const message =
      'A `console` transcript holds its expected output itself. Move these lines below their `$ ` command.'
    report('output-after-console', fence, message)
    return before
  }
  if (before?.kind !== 'script') {
    const message = `This \`${fence.language}\` fence follows no script, so nothing would be compared with it. Put it directly after its script, or call it \`text\`.`
    report('output-without-script', fence, message)
    return undefined
  }
  const { language } = fence
  const stream = language === 'stdout' || language === 'stderr' ? language : 'output'
  // `output` is both streams together.
  if (before.expected.some((other) => other.stream === stream || [other.stream, stream].includes('output'))) {
    const message =
      'The output of this script is given twice. Use one `output` fence, or one `stdout` and one `stderr`.'
    report('duplicate-output', fence, message)
    return before
  }
  return { ...before, expected: [...before.expected, { stream, text: fence.code, line: fence.line + 1 }] }
}

/** Reports code that nobody would execute, unless a directive above it, or its heading, says `skip`. */
function reportPassedOver(
  fence: Fence,
  comments: readonly DirectiveComment[],
  { report, isSkipped = false }: BlockContext,
): void {
  const hasSkip = foldDirectives({ env: {} }, comments, report).skip === true
  if (!hasSkip && !isSkipped) report('unknown-language', fence, describePassedOver(fence))
}

function describePassedOver({ language, container }: Fence): string {
  if (language === '') {
    return 'This looks like a transcript, and no agent acts here, so it would be passed over. Call it `console` to run it, or `text`.'
  }
  if (container !== undefined) {
    return `No agent acts here, and a block inside a ${container} is not executed. Move it out, call it \`text\`, or mark it \`skip\`.`
  }
  return `\`${language}\` blocks cannot be run, and no agent acts here.${describeForeign(language)} To run it, write it to a file: add \`file=NAME\` here and \`cwd: temp\` to the front matter, and start the file in an \`sh\` block. To only show it, add \`skip\` or call it \`text\`. Languages that run: ${listExecuted()}.`
}

export interface BlockContext {
  readonly isAgentNone: boolean
  /** Nobody expects that anything is done here. */
  readonly isSkipped?: boolean
  readonly report: Report
}

function createBlock(fence: Fence, comments: readonly DirectiveComment[], { report }: BlockContext): Block | undefined {
  const { line, column, code, language, container } = fence
  if (container !== undefined) {
    const message = `A block inside a ${container} is not executed. Move it out, or take its mark away; without an agent, mark it \`skip\`.`
    report('block-in-quote', fence, message)
    return undefined
  }
  const role = readRole(fence, report)
  const kind = role === 'file' ? 'file' : kindOf(fence)
  if (kind === undefined) {
    const what = language === '' ? 'The block names no language' : `\`${language}\` blocks cannot be executed`
    const message = `${what}.${describeForeign(language)} Use one of ${listExecuted()}, or take \`run\`/\`verify\` away to leave the block to the agent.`
    report('unknown-language', fence, message)
    return undefined
  }
  const words = fence.words.filter((word) => !isRole(word) && !(kind === 'browser' && word.raw === 'browser'))
  const attributes = foldDirectives(parseAttributes(words, kind, report), comments, report)
  if (code.trim() === '' && (kind === 'script' || kind === 'module' || kind === 'browser')) {
    report('empty-block', fence, 'The block holds no code, so it would always pass. Fill it, or take it away.')
  }
  const base = { line, column, role, code, codeLine: line + 1, attributes }
  if (kind === 'console') {
    return { ...base, kind, commands: parseTranscript(code, { codeLine: line + 1, column }, report) }
  }
  if (kind === 'script') return { ...base, kind, expected: [] }
  return kind === 'file' ? { ...base, kind } : { ...base, kind, language: language === 'ts' ? 'ts' : 'js' }
}

/** Unmarked blocks come here only without an agent, where they are run. */
function readRole({ words, line, column }: Fence, report: Report): Block['role'] {
  const marks = words.filter((word) => isRole(word) || word.name === 'file')
  const [first, second] = marks
  if (new Set(marks.map(({ name }) => name)).size > 1) {
    const names = marks.map(({ name }) => `\`${name}\``).join(' and ')
    const message = `The block is marked ${names}. Leave one of them; use two blocks for both.`
    report('conflicting-roles', { line, column }, message)
  } else if (second !== undefined && marks.every(isRole)) {
    report('duplicate-attribute', second, `\`${second.name}\` is given twice. Leave one of them.`)
  }
  const name = first?.name
  return name === 'verify' || name === 'file' ? name : 'run'
}

function isRole({ name, value }: Word): boolean {
  return value === undefined && (name === 'run' || name === 'verify')
}

function kindOf({ language, words }: Fence): Exclude<Block['kind'], 'file'> | undefined {
  if (language === 'console') return 'console'
  if (language === 'sh') return 'script'
  if (language !== 'ts' && language !== 'js') return undefined
  return words.some(({ raw }) => raw === 'browser') ? 'browser' : 'module'
}

function foldDirectives(
  attributes: BlockAttributes,
  comments: readonly DirectiveComment[],
  report: Report,
): BlockAttributes {
  const { directives, words } = parseDirectives(comments, report)
  for (const word of words) {
    if (word.name !== 'skip' && word.name !== 'timeout') {
      const message = `\`${word.name}\` has no meaning above a block. Only \`skip\` and \`timeout\` have.`
      report('unknown-directive', word, message)
    } else if (word.name === 'skip' ? attributes.skip !== undefined : attributes.timeoutMs !== undefined) {
      report('duplicate-directive', word, `\`${word.name}\` is also an attribute of the block. Leave one of them.`)
    }
  }
  const { skip, timeoutMs } = directives
  return {
    ...attributes,
    ...(skip !== undefined && { skip: true }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
}
