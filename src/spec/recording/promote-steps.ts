import type { RootContent } from 'mdast'
import { classifyFence, isMarkedFence, type Fence } from '../blocks/fence.ts'
import { isOutput } from '../blocks/languages.ts'
import { dialectLanguages as languages } from '../dialects/registry.ts'
import type { BodyItem } from '../markdown/body-item.ts'
import { readSource } from '../read-source.ts'
import { buildSections, withChildren, type Section } from '../sections/build-sections.ts'
import { readBody } from '../sections/read-body.ts'
import type { Block, Step } from '../spec.ts'
import { SourceLines } from './source-lines.ts'

/** A step that mdtest carries out from now on. */
export interface StepToPromote {
  readonly step: Pick<Step, 'line' | 'blocks'>
  /** Blocks in the place of the agent, as lines of markdown. */
  readonly body: readonly string[]
}

/**
 * The text of a spec in which steps have blocks in the place of the agent. What they say stays as documentation: checks
 * become items of a list, and code that was for the agent is marked `skip`. All else stays byte for byte. Whether the
 * spec says what it should has to be looked at.
 */
export function promoteSteps(source: string, steps: readonly StepToPromote[]): string {
  const read = readSource(source, () => {})
  if (read === undefined) return source
  const { preamble, sections } = buildSections(read.root.children)
  const all = withChildren(sections)
  const lines = new SourceLines(source)
  for (const { step, body } of steps) {
    const section = all.find(({ line }) => line === step.line)
    const whole = section === undefined ? [{ nodes: preamble }, ...all] : withChildren([section])
    for (const { nodes } of whole)
      makeDocumentation(lines, readBody(nodes, { text: read.text, languages, report() {} }))
    const own = section?.nodes ?? preamble
    insertDirective(lines, section, own)
    insertBody(lines, { nodes: own, step, body })
  }
  return lines.toString()
}

/** What is an instruction for an agent would be a check that nobody judges, or a block of ours. */
function makeDocumentation(lines: SourceLines, items: readonly BodyItem[]): void {
  let followsBlock = false
  for (const item of items) {
    if (item.kind === 'check') {
      const before = lines.at(item.line).slice(0, item.column - 1)
      const rest = lines.at(item.line).slice(item.column - 1)
      lines.change(item.line, before + rest.replace(/^((?:[-*+]|\d+[.)])\s+)\[[ xX]\]\s+/, '$1'))
    }
    if (item.kind !== 'fence') continue
    if (isMarkedFence(item.words)) followsBlock = true
    else if (!isOutput(item.language) || !followsBlock) leaveOut(lines, item)
  }
}

function leaveOut(lines: SourceLines, fence: Fence): void {
  const use = classifyFence(fence, { isAgentNone: true, followsBlock: false, languages })
  if (use === 'prose' || use === 'left-out') return
  const text = lines.at(fence.line)
  const at = text.indexOf(fence.marker, fence.column - 1) + fence.marker.length
  const info = text.slice(at)
  const isText = fence.language === '' || isOutput(fence.language)
  const word = isText ? info.replace(/^([ \t]*)\S*/, '$1text') : info.replace(/^[ \t]*\S+/, '$& skip')
  lines.change(fence.line, text.slice(0, at) + word)
}

const directive = '<!-- mdtest: agent=none -->'

/** Under the heading; at the start of the text where there is none. */
function insertDirective(lines: SourceLines, section: Section | undefined, own: readonly RootContent[]): void {
  const headingEnd = section?.heading.position?.end.line
  if (headingEnd === undefined) {
    lines.insert(own[0]?.position?.start.line ?? 1, [directive, ''])
    return
  }
  lines.insert(headingEnd + 1, ['', directive, ...(lines.isBlank(headingEnd + 1) ? [] : [''])])
}

interface Insertion {
  /** What stands under the heading. */
  readonly nodes: readonly RootContent[]
  readonly step: Pick<Step, 'blocks'>
  readonly body: readonly string[]
}

/** Where the agent worked: behind what was done before it, above what checks its work. */
function insertBody(lines: SourceLines, { nodes, step, body }: Insertion): void {
  const verify = step.blocks.find(({ role }) => role === 'verify')
  if (verify === undefined) {
    const end = nodes.at(-1)?.position?.end.line ?? lines.count
    lines.insert(end + 1, ['', ...body, ...(end < lines.count && !lines.isBlank(end + 1) ? [''] : [])])
    return
  }
  const line = firstLineOf(verify, nodes)
  const indent = /^[ \t]*/.exec(lines.at(verify.line))?.[0] ?? ''
  const indented = body.map((text) => (text === '' ? '' : `${indent}${text}`))
  lines.insert(line, [...(lines.isBlank(line - 1) ? [] : ['']), ...indented, ''])
}

/** The line of a block, or of the comments right above it: they are about the block. */
function firstLineOf({ line }: Block, nodes: readonly RootContent[]): number {
  const index = nodes.findIndex(({ position }) => position?.start.line === line)
  if (index === -1) {
    const inner = nodes.flatMap((node) => ('children' in node ? [node.children as readonly RootContent[]] : []))
    return inner.reduce((found, children) => Math.min(found, firstLineOf({ line } as Block, children)), line)
  }
  const other = nodes.slice(0, index).findLastIndex((node) => node.type !== 'html' || !node.value.startsWith('<!--'))
  // Right under the heading they are about the step.
  return other === -1 ? line : (nodes[other + 1]?.position?.start.line ?? line)
}
