import { posix } from 'node:path'
import { classifyFence, type Fence, describeForeign, isNearOutput, listExecuted } from './fence-languages.ts'
import { type DirectiveComment, parseAttributes, parseDirectives } from './attributes-and-directives.ts'
import type { BodyItem } from '../markdown/read-body.ts'
import type { Report } from '../rules/spec-rules.ts'
import { blocksOf, type Block, type BlockAttributes, type Place, type Spec } from '../spec.ts'
import { parseTranscript } from './parse-transcript.ts'
import type { Word } from '../front-matter/value-forms.ts'

export interface BlocksOfText {
  readonly blocks: readonly Block[]
  /** Whether there is text: instructions for the agent or, without an agent, documentation. */
  readonly hasProse: boolean
  /** Whether a fence is not executed, because of `skip` or its language. Always false with an agent. */
  readonly hasLeftOut: boolean
  /** Whether the agent gets code without any text. If so, `agent: none` was probably forgotten. */
  readonly isCodeAlone?: boolean
}

export function createBlocks(items: readonly BodyItem[], context: BlockContext): BlocksOfText {
  const blocks: Block[] = []
  let comments: DirectiveComment[] = []
  let before: Predecessor
  let hasProse = false
  let hasLeftOut = false
  let hasText = context.isAgentNone
  let hasCode = false
  for (const item of items) {
    if (item.kind === 'comment') continue
    if (item.kind === 'directive') {
      comments.push(item)
      continue
    }
    const use = item.kind === 'fence' ? classifyFence(item, { ...context, followsBlock: blocks.length > 0 }) : 'prose'
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
      else if (item.kind === 'fence' && typeof before === 'object' && isNearOutput(item.language))
        context.report('near-miss', item, 'Nothing would be compared with this. Did you mean `output`?')
      before = use === 'prose' ? undefined : 'left-out'
      hasLeftOut ||= use !== 'prose'
      hasProse ||= item.kind !== 'break'
      hasText ||= item.kind !== 'break' && item.kind !== 'fence'
      hasCode ||= item.kind === 'fence' && classifyFence(item, { isAgentNone: true, followsBlock: false }) === 'block'
    }
    comments = []
  }
  reportMisplaced(comments, context.report)
  for (const block of blocks) reportConflicts(block, context.report)
  return { blocks: filesFirst(blocks, context.report), hasProse, hasLeftOut, isCodeAlone: hasCode && !hasText }
}

function filesFirst(blocks: readonly Block[], report: Report): readonly Block[] {
  const files = blocks.filter(({ kind }) => kind === 'file')
  reportDuplicateFiles(files, report)
  return [...files, ...blocks.filter(({ kind }) => kind !== 'file')]
}

function reportMisplaced(comments: readonly DirectiveComment[], report: Report): void {
  for (const comment of comments) {
    const message = 'This directive would be ignored. Put it right under a heading or directly above an executed block.'
    report('misplaced-directive', comment, message)
  }
}

type Predecessor = Block | 'left-out' | undefined

function addOutput(fence: Fence, before: Predecessor, report: Report): Predecessor {
  for (const word of fence.words) {
    const message = `\`${word.raw}\` is no attribute of an \`${fence.language}\` fence. Put attributes on the script.`
    report('unknown-attribute', word, message)
  }
  if (before === 'left-out') return before
  if (before?.kind === 'console') {
    const message = 'A `console` transcript holds its expected output itself. Move the lines below their `$ ` command.'
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
  // An `output` fence covers both streams, so no `stdout` or `stderr` fence is allowed beside it.
  if (before.expected.some((other) => other.stream === stream || [other.stream, stream].includes('output'))) {
    const message = 'The output of the script is given twice. Use one `output` fence, or one `stdout` and one `stderr`.'
    report('duplicate-output', fence, message)
    return before
  }
  return { ...before, expected: [...before.expected, { stream, text: fence.code, line: fence.line + 1 }] }
}

/** Reports code that would not be executed, unless the code or its whole step is marked `skip`. */
function reportPassedOver(fence: Fence, comments: readonly DirectiveComment[], context: BlockContext): void {
  const hasSkip = foldDirectives({ env: {} }, comments, context.report).skip === true
  if (!hasSkip && context.isSkipped !== true) context.report('unknown-language', fence, describePassedOver(fence))
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
  /** Whether a directive says `skip` or `todo`. If so, code that mdtest cannot execute is not reported. */
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
  const kind = role === 'file' ? 'file' : blockKind(fence)
  if (kind === undefined) {
    const what = language === '' ? 'The block names no language' : `\`${language}\` blocks cannot be executed`
    const message = `${what}.${describeForeign(language)} Use one of ${listExecuted()}, or take \`run\`/\`verify\` away to leave the block to the agent.`
    report('unknown-language', fence, message)
    return undefined
  }
  const words = fence.words.filter((word) => !isRole(word) && !(kind === 'browser' && word.raw === 'browser'))
  const attributes = foldDirectives(parseAttributes(words, kind, report), comments, report)
  const isComment = kind === 'script' ? /^\s*(?:#|$)/ : /^\s*(?:\/\/|$)/
  const isExecuted = kind !== 'console' && kind !== 'file' && attributes.skip !== true
  if (isExecuted && code.split('\n').every((text) => isComment.test(text))) {
    report('empty-block', fence, 'The block holds no code, so it would always pass. Fill it, or take it away.')
  }
  const base = { line, column, role, code, codeLine: line + 1, attributes }
  if (kind === 'console') {
    return { ...base, kind, commands: parseTranscript(code, { codeLine: line + 1, column }, report) }
  }
  if (kind === 'script') return { ...base, kind, expected: [] }
  return kind === 'file' ? { ...base, kind } : { ...base, kind, language: language === 'ts' ? 'ts' : 'js' }
}

/** The role of a block without a mark is `run`. Only specs without an agent have blocks without a mark. */
function readRole({ words, line, column }: Fence, report: Report): Block['role'] {
  const marks = words.filter((word) => isRole(word) || word.name === 'file')
  const [first, second] = marks
  if (new Set(marks.map(({ name }) => name)).size > 1) {
    const names = marks.map(({ name }) => `\`${name}\``).join(' and ')
    report('conflicting-roles', { line, column }, `The block is marked ${names}. Leave one, or use two blocks.`)
  } else if (second !== undefined && marks.every(isRole)) {
    report('duplicate-attribute', second, `\`${second.name}\` is given twice. Leave one of them.`)
  }
  const name = first?.name
  return name === 'verify' || name === 'file' ? name : 'run'
}

function isRole({ name, value }: Word): boolean {
  return value === undefined && (name === 'run' || name === 'verify')
}

function blockKind({ language, words }: Fence): Exclude<Block['kind'], 'file'> | undefined {
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
      const message = `\`${word.name}\` means nothing above a block. Only \`skip\` and \`timeout\` do.`
      report('unknown-directive', word, message)
    } else if (word.name === 'skip' ? attributes.skip !== undefined : attributes.timeoutMs !== undefined) {
      report('duplicate-directive', word, `\`${word.name}\` is also an attribute of the block. Leave one of them.`)
    }
  }
  const { skip, timeoutMs } = directives
  return { ...attributes, ...(skip !== undefined && { skip: true }), ...(timeoutMs !== undefined && { timeoutMs }) }
}

function reportConflicts(block: Block, report: Report): void {
  if (block.attributes.skip === true) return
  const add = (place: Place, message: string): void => report('attribute-conflict', place, message)
  if (block.kind === 'file' && block.attributes.timeoutMs !== undefined) {
    add(block, '`timeout` has no meaning for a file that is written. Take it away.')
  }
  if (block.kind !== 'script') return
  reportPrompt(block, report)
  const { background, wait, stream, timeoutMs } = block.attributes
  const [fence] = block.expected
  if (stream !== undefined && !block.expected.some((expected) => expected.stream === 'output')) {
    add(block, '`stream` says what the `output` fence is compared with, and there is none. Add one, or take it away.')
  }
  if (background !== true) return
  if (block.role === 'verify') {
    add(block, 'A `background` block is not waited for, so it verifies nothing. Mark it `run`.')
  }
  if (fence !== undefined) {
    const message = 'What a `background` block prints is not compared. Remove the fence, and read it in a later block.'
    add({ line: fence.line - 1, column: block.column }, message)
  }
  if (timeoutMs !== undefined && wait === undefined) {
    add(block, 'The `timeout` of a `background` block limits its `wait`. Add `wait=port:…` or `wait=file:…`.')
  }
}

/** Reports `$ ` at the start of an `sh` block: bash would look for a program named `$`. */
function reportPrompt({ code, codeLine, column }: Extract<Block, { kind: 'script' }>, report: Report): void {
  const lines = code.split('\n')
  const at = lines.findIndex((line) => line.trim() !== '')
  const [, command] = /^\s*\$ +(\S.*)/.exec(lines[at] ?? '') ?? []
  if (command === undefined) return
  const message = `\`$ \` is a prompt, and this block is a script. Call it \`console\`: what follows each command is then its expected output. Or begin the line with \`${command.slice(0, 40)}\`.`
  report('prompt-in-script', { line: codeLine + at, column }, message)
}

function reportDuplicateFiles(blocks: readonly Block[], report: Report): void {
  const names = new Set<string>()
  for (const block of blocks) {
    const { file, skip } = block.attributes
    if (skip === true || file === undefined) continue
    const name = posix.normalize(file)
    if (names.has(name)) {
      const message = `\`${file}\` is written twice under this heading, so the first is never seen. Move one below a heading of its own.`
      report('duplicate-file', block, message)
    }
    names.add(name)
  }
}

/** Reports the first `file=` block of a spec if it would write into the user's project. */
export function reportFilesInProject({ frontMatter: { cwd }, scenarios }: Spec, report: Report): void {
  if (cwd === 'temp' || cwd === 'copy') return
  const first = scenarios.flatMap(blocksOf).find(({ kind, attributes }) => kind === 'file' && attributes.skip !== true)
  if (first === undefined) return
  const message = 'This `file=` block would write into your project. Set `cwd: temp` or `cwd: copy` as front matter.'
  report('file-in-project', first, message)
}
