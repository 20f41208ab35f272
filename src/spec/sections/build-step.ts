import type { Content, Scope } from '../markdown/section-content.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { Directives, Group, Place, Step } from '../spec.ts'

export interface StepScope extends Scope {
  /** Whether the document is a page for readers, run without an agent. Default: unknown, as for other tools' specs. */
  readonly isPage?: boolean
  nextOrdinal(): number
}

interface StepFrame extends Place {
  readonly endLine: number
  /** Returns a unique title. Only call it for a step that is made, because each call uses up a title. */
  title(): string
}

export function createOrdinals(first = 1): () => number {
  let next = first
  return () => next++
}

/** Without an agent, prose alone makes no step in a page. In a spec it makes a todo, except under `agent=none`. */
export function buildStep(content: Content, frame: StepFrame, scope: StepScope): Step | undefined {
  reportChecksWithoutAgent(content, scope)
  const { blocks, hasProse, hasLeftOut, isAgentNone, isCodeAlone } = content
  const { agent, skip, todo } = content.directives
  const hasAgentPart = !isAgentNone && (hasProse || content.checks.length > 0)
  const isEmpty = blocks.length === 0 && !hasLeftOut
  const isForReaders = scope.isPage !== false || agent === 'none'
  if (isForReaders && isAgentNone && hasProse && isEmpty && todo === undefined && skip === undefined) return undefined
  const actor = hasAgentPart ? 'agent' : isEmpty ? 'todo' : 'code'
  const ordinal = scope.nextOrdinal()
  const title = frame.title()
  const { line, column, endLine } = frame
  const checks = content.checks.map(({ n, line, text }) => ({ n, line, text }))
  return {
    kind: 'step',
    id: stepId(ordinal, title),
    ordinal,
    title,
    line,
    column,
    endLine,
    directives: withImpliedSkip(content, actor),
    actor,
    checks,
    blocks,
    ...(isCodeAlone && { isCodeAlone }),
  }
}

/** Reports checks that no agent judges, except under `skip`. */
export function reportChecksWithoutAgent({ checks, isAgentNone, isSkipped }: Content, scope: Scope): void {
  for (const check of isAgentNone && !isSkipped ? checks : []) {
    const message = 'No agent acts here, so nobody would judge this check. Make it a list item, or name an agent.'
    scope.report('check-without-agent', check, message)
  }
}

/** Skips a step whose blocks are all skipped: it executes nothing, so it must not show up as a pass. */
function withImpliedSkip({ directives, blocks }: Content, actor: Step['actor']): Directives {
  const isSkipped = actor === 'code' && blocks.every(({ attributes }) => attributes.skip === true)
  return isSkipped && directives.skip === undefined
    ? { ...directives, skip: 'all its blocks are marked skip' }
    : directives
}

/** Returns `<n>-<slug>`. The slug has at most 40 code points, letters and digits of any script. */
function stepId(ordinal: number, title: string): string {
  const short = [...trimDashes(title.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '-'))].slice(0, 40).join('')
  return `${ordinal}-${trimDashes(short) || 'step'}`
}

function trimDashes(text: string): string {
  return text.replace(/^-|-$/g, '')
}

interface Parent {
  readonly directives: Directives
  readonly children: readonly (Group | Step)[]
}

/** Directives of a step itself override those of headings. */
export function inheritDirectives<T extends Parent>(parent: T): T {
  const { skip, todo, fails, timeoutMs, login } = parent.directives
  const inherited = withoutUndefined<Directives>({ skip, todo, fails, timeoutMs, login })
  if (Object.keys(inherited).length === 0) return parent
  const children = parent.children.map((child): Group | Step => {
    const withOwn = { ...child, directives: { ...inherited, ...child.directives } }
    return withOwn.kind === 'step' ? withOwn : inheritDirectives(withOwn)
  })
  return { ...parent, children }
}
