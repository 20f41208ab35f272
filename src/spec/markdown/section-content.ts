import type { RootContent } from 'mdast'

import { withChildren, type Section } from '../sections/build-sections.ts'
import { readBody, type BodyItem } from './read-body.ts'
import { createBlocks, type BlocksOfText } from '../blocks/create-blocks.ts'
import { parseDirectives, type ParsedDirectives } from '../blocks/attributes-and-directives.ts'
import type { Placeholders } from './positions-and-placeholders.ts'
import type { Check, Place } from '../spec.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Fate, Fates } from '../rules/readers-of-lines.ts'

export interface Scope {
  readonly text: string
  readonly isAgentNone: boolean
  /** Whether a heading above is marked `skip` or `todo`. */
  readonly isSkipped?: boolean
  readonly report: Report
  readonly fates: Fates
  readonly placeholders?: Placeholders
}

export interface Content extends ParsedDirectives, BlocksOfText {
  readonly checks: readonly (Check & Place)[]
  /** Whether no agent acts here, because the front matter, this heading or a heading above says `none`. */
  readonly isAgentNone: boolean
  readonly isSkipped: boolean
}

/** @param section `undefined`: text without a heading. `preamble`: text above all headings, or above an H1. It has no directives */
export function readOwnContent(
  nodes: readonly RootContent[],
  section: Section | 'preamble' | undefined,
  scope: Scope,
): Content {
  const content = readItems(readBody(nodes, scope), scope, section !== 'preamble')
  const [first, last] = [nodes[0]?.position, nodes.at(-1)?.position]
  if (first && last) scope.fates.mark(fateOf(content), first.start.line, last.end.line)
  if (typeof section === 'object' && section.heading.depth > 1) reportScenarioWords(content, scope)
  return content
}

/** Only a whole scenario can have `repeats` and `require`. */
export function reportScenarioWords({ words }: Content, { report }: Pick<Scope, 'report'>): void {
  for (const word of words.filter(({ name }) => name === 'repeats' || name === 'require')) {
    const message = `\`${word.name}\` is for a whole scenario. Put it under the H1 of a spec or into the front matter.`
    report('misplaced-directive', word, message)
  }
}

/** @param canHaveDirectives whether comments right below the heading are directives, not only those above a block */
export function readWholeContent(section: Section, scope: Scope, canHaveDirectives = false): Content {
  const below = withChildren(section.children).flatMap((child): readonly BodyItem[] => [
    // Separates child headings: an `output` fence must not be added to a script under another heading.
    { kind: 'break', line: child.line, column: child.column },
    ...readBody(child.nodes, scope),
  ])
  const content = readItems([...readBody(section.nodes, scope), ...below], scope, canHaveDirectives)
  scope.fates.mark(fateOf(content), section.line, section.endLine)
  return content
}

function fateOf({ isSkipped, isAgentNone }: Content): Fate {
  return isSkipped ? 'skipped' : isAgentNone ? 'no-agent' : 'agent'
}

function readItems(items: readonly BodyItem[], context: Scope, canHaveDirectives: boolean): Content {
  const leadLength = canHaveDirectives ? leadingComments(items) : 0
  const lead = items.slice(0, leadLength).filter((item) => item.kind === 'directive')
  const parsed = parseDirectives(lead, context.report)
  const isAgentNone = context.isAgentNone || parsed.directives.agent === 'none'
  const { skip, todo = false } = parsed.directives
  const isSkipped = context.isSkipped === true || skip !== undefined || todo
  const made = createBlocks(items.slice(leadLength), { ...context, isAgentNone, isSkipped })
  const checks = items
    .filter((item) => item.kind === 'check')
    .map(({ line, column, text }, index) => ({ n: index + 1, line, column, text }))
  return { ...parsed, ...made, checks, isAgentNone, isSkipped }
}

export function leadingComments(items: readonly BodyItem[]): number {
  const index = items.findIndex(({ kind }) => kind !== 'comment' && kind !== 'directive')
  return index === -1 ? items.length : index
}
