import type { RootContent } from 'mdast'

import type { BodyItem } from '../../markdown/body-item.ts'
import type { Section } from '../../sections/build-sections.ts'
import { buildStep, type StepScope } from '../../sections/build-step.ts'
import { reportConflicts } from '../../blocks/check-blocks.ts'
import { reportMisplaced, reportOpenFence } from '../../blocks/create-blocks.ts'
import { inlineText } from '../../markdown/inline-text.ts'
import { parseDirectives, type DirectiveComment } from '../../blocks/parse-directives.ts'
import { readBody, reportInlineDirectives } from '../../sections/read-body.ts'
import type { Fence } from '../../blocks/fence.ts'
import type { Directives, Place, Step } from '../../spec.ts'
import { createCaseBlocks } from './create-case-blocks.ts'
import type { CaseConfig } from './read-case-config.ts'

export interface CaseScope extends StepScope {
  readonly defaults: CaseConfig
  /** Absolute path of the document. */
  readonly file: string
}

/** A test case where it stands. */
export interface FoundCase {
  readonly fence: Fence
  /** Of the paragraph or heading before it, where no other test case is in between. */
  readonly title: string
  readonly directives: Directives
}

/** What stands under one heading. */
export interface Cases {
  /** Of the heading. */
  readonly directives: Directives
  readonly cases: readonly FoundCase[]
}

/** Finds the test cases under a heading, or before the first one; all else is documentation. */
export function readCases(nodes: readonly RootContent[], section: Section | undefined, scope: CaseScope): Cases {
  if (section !== undefined) reportInlineDirectives(section.heading, scope)
  const lead: DirectiveComment[] = []
  const cases: FoundCase[] = []
  let above: DirectiveComment[] = []
  let isLeading = section !== undefined
  let title = section?.title ?? ''
  for (const item of nodes.flatMap((node) => withTitle(node, scope))) {
    if (item.kind === 'comment') continue
    if (item.kind === 'directive') {
      const comments = isLeading ? lead : above
      comments.push(item)
      continue
    }
    isLeading = false
    if (item.kind === 'swallowed' && item.what !== 'code') scope.report('swallowed-block', item, item.message)
    if (item.kind === 'title') title = item.text
    const isCase = item.kind === 'fence' && item.language === 'scrut'
    if (item.kind === 'fence') reportOpenFence(item, isCase, scope.report)
    if (isCase) {
      cases.push({ fence: item, title, directives: parseDirectives(above, scope.report).directives })
      title = ''
    } else reportMisplaced(above, scope.report)
    above = []
  }
  reportMisplaced(above, scope.report)
  return { directives: parseDirectives(lead, scope.report).directives, cases }
}

type TitledItem = BodyItem | (Place & { readonly kind: 'title'; readonly text: string })

/** A paragraph that begins with a letter is a title. */
function withTitle(node: RootContent, scope: CaseScope): readonly TitledItem[] {
  const items = readBody([node], scope)
  const [item] = items
  const { offset = 0 } = node.position?.start ?? {}
  const isTitle = node.type === 'paragraph' && /^\p{L}/u.test(scope.text.slice(offset, offset + 2))
  if (!isTitle || item === undefined) return items
  return [{ kind: 'title', line: item.line, column: item.column, text: inlineText(node) }]
}

interface CaseFrame extends Place {
  readonly endLine: number
  title(): string
}

/** Makes the step of a test case. */
export function buildCase({ fence, directives }: FoundCase, frame: CaseFrame, scope: CaseScope): Step | undefined {
  const { blocks } = createCaseBlocks(fence, [], scope)
  for (const block of blocks) reportConflicts(block, scope.report)
  const content = {
    directives,
    words: [],
    blocks,
    checks: [],
    hasProse: false,
    hasLeftOut: false,
    isAgentNone: true,
    isSkipped: false,
  }
  return buildStep(content, frame, scope)
}

/** Last line of a test case. */
export function endLineOf({ line, code }: Fence): number {
  return line + code.split('\n').length + 1
}
