import { classifyFence, type Fence } from './fence.ts'
import { reportConflicts, reportDuplicateFiles } from './check-blocks.ts'
import { createBlock, type BlockContext, foldDirectives } from './create-block.ts'
import type { DirectiveComment } from './parse-directives.ts'
import type { BodyItem } from '../markdown/body-item.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Block, ExpectedOutput } from '../spec.ts'
import { holdsMarkdown } from '../rules/swallowed.ts'
import { listExecuted } from './languages.ts'

/** What was made of the text under one heading. */
export interface BlocksOfText {
  readonly blocks: readonly Block[]
  /** There is text, be it for the agent or, without one, documentation. */
  readonly hasProse: boolean
  /** There is a block that is marked `skip`, without an agent; with one it is among `blocks`. */
  readonly hasLeftOut: boolean
}

/** Picks the blocks that mdtest executes out of a heading's text; the rest is prose. */
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
      const created = createFrom(item, comments, context)
      blocks.push(...created)
      before = created.at(-1) ?? 'left-out'
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

/** Files are there before the first command of the heading. */
function filesFirst(blocks: readonly Block[], report: Report): readonly Block[] {
  const files = blocks.filter(({ kind }) => kind === 'file')
  reportDuplicateFiles(files, report)
  return files.length === 0 ? blocks : [...files, ...blocks.filter(({ kind }) => kind !== 'file')]
}

function createFrom(fence: Fence, comments: readonly DirectiveComment[], context: BlockContext): readonly Block[] {
  const isFile = fence.words.some(({ name }) => name === 'file')
  const language = isFile ? undefined : context.languages.find(({ name }) => name === fence.language)
  if (language !== undefined) return language.createBlocks(fence, comments, context)
  const block = createBlock(fence, comments, context)
  return block === undefined ? [] : [block]
}

/** Reports directives that stand above nothing they could belong to. */
export function reportMisplaced(comments: readonly DirectiveComment[], report: Report): void {
  for (const comment of comments) {
    const message =
      'The directive would be ignored here. Put it right under a heading or directly above an executed block.'
    report('misplaced-directive', comment, message)
  }
}

/** A forgotten end takes in all that follows: blocks and steps that would never run. */
export function reportOpenFence(fence: Fence, isExecuted: boolean, report: Report): void {
  if (fence.isClosed || (!isExecuted && !holdsMarkdown(fence.code))) return
  report(
    'unterminated-fence',
    fence,
    `This code block is never closed, so all that follows is read as part of it. Add a line with only ${fence.marker} where it should end.`,
  )
}

/** What an `output` fence would belong to: the block right before it, or one that is left out. */
type Predecessor = Block | 'left-out' | undefined

/** Gives the block before an `output` fence with the output added, or unchanged where it cannot have one. */
function addOutput(fence: Fence, before: Predecessor, report: Report): Predecessor {
  for (const word of fence.words) {
    report(
      'unknown-attribute',
      word,
      `\`${word.raw}\` is no attribute of an \`${fence.language}\` fence. Put attributes on the script.`,
    )
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
  const stream = streamOf(fence.language)
  if (isTaken(before.expected, stream)) {
    const message =
      'The output of this script is given twice. Use one `output` fence, or one `stdout` and one `stderr`.'
    report('duplicate-output', fence, message)
    return before
  }
  return { ...before, expected: [...before.expected, { stream, text: fence.code, line: fence.line + 1 }] }
}

function streamOf(language: string): ExpectedOutput['stream'] {
  return language === 'stdout' || language === 'stderr' ? language : 'output'
}

/** `output` is both streams together. */
function isTaken(expected: readonly ExpectedOutput[], stream: ExpectedOutput['stream']): boolean {
  return expected.some((other) => other.stream === stream || other.stream === 'output' || stream === 'output')
}

/** Reports code that nobody would execute, unless a directive above it, or its heading, says `skip`. */
function reportPassedOver(
  fence: Fence,
  comments: readonly DirectiveComment[],
  { report, languages, isSkipped = false }: BlockContext,
): void {
  const hasSkip = foldDirectives({ env: {} }, comments, report).skip === true
  if (!hasSkip && !isSkipped) report('unknown-language', fence, messageOf(fence, listExecuted(languages)))
}

function messageOf({ language, container }: Fence, executed: string): string {
  if (language === '') {
    return 'This looks like a transcript, and no agent acts here, so it would be passed over. Call it `console` to run it, or `text`.'
  }
  if (container !== undefined) {
    return `No agent acts here, and a block inside a ${container} is not executed. Move it out, call it \`text\`, or mark it \`skip\`.`
  }
  const shell = shells.includes(language) ? ' Scripts are run by bash: call it `sh` where that is right.' : ''
  return `\`${language}\` blocks cannot be run, and no agent acts here.${shell} To run it, write it to a file: add \`file=NAME\` here and \`cwd: temp\` to the front matter, and start the file in an \`sh\` block. To only show it, add \`skip\` or call it \`text\`. Languages that run: ${executed}.`
}

/** Shells that read some scripts otherwise than bash does. */
const shells: readonly string[] = ['zsh', 'ksh', 'dash', 'ash', 'fish']
