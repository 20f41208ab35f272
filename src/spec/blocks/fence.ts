import { isExecuted, isOutput, isText, looksLikeTranscript, normalizeLanguage } from './languages.ts'
import type { Word } from '../front-matter/parse-words.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Block, Place } from '../spec.ts'
import type { DirectiveComment } from './parse-directives.ts'

/**
 * What a fence is to us; `left-out` is one with `skip` where no agent acts, `passed-over` one that holds code there which
 * nobody would execute.
 */
export type FenceUse = 'block' | 'output' | 'left-out' | 'passed-over' | 'prose'

/** Whether the words of an info string make a fence ours. */
function isMarkedFence(words: readonly Word[]): boolean {
  return words.some(({ name, value }) => (value === undefined ? name === 'run' || name === 'verify' : name === 'file'))
}

/** The language of an info string, normalized, and its other words; a fence may begin with an attribute. */
export function splitInfo(all: readonly Word[]): Pick<Fence, 'language' | 'words'> {
  return isMarkedFence(all.slice(0, 1))
    ? { language: '', words: all }
    : { language: normalizeLanguage(all[0]?.raw ?? ''), words: all.slice(1) }
}

/** Decides what a fence is. */
export function classifyFence(
  { language, words, container, code }: Pick<Fence, 'language' | 'words' | 'container' | 'code'>,
  { isAgentNone, followsBlock, languages }: FenceContext,
): FenceUse {
  if (isMarkedFence(words)) return 'block'
  if (isOutput(language)) {
    // For an agent, output that belongs to no block of ours is part of its instructions.
    if (container === undefined && (isAgentNone || followsBlock)) return 'output'
    return isAgentNone ? 'passed-over' : 'prose'
  }
  if (!isAgentNone || isText(language)) return 'prose'
  if (words.some(({ name, value }) => name === 'skip' && value === undefined)) return 'left-out'
  if (isExecuted(language, languages)) return 'block'
  const isCode = language === '' ? looksLikeTranscript(code) : code.trim() !== ''
  return isCode ? 'passed-over' : 'prose'
}

/** A fenced code block. */
export interface Fence extends Place {
  /** First word of the info string; empty where there is none or it is already an attribute. */
  readonly language: string
  /** The other words. */
  readonly words: readonly Word[]
  readonly code: string
  /** The backticks or tildes it opens with. */
  readonly marker: string
  readonly isClosed: boolean
  /** Where the language has a configuration: what stands in braces at the end of the info string. */
  readonly config?: Place & { readonly text: string }
  /** What it is nested in, apart from lists. */
  readonly container?: 'block quote' | 'footnote'
}

/** A language of fences that a dialect brings. Any spec may hold them. */
export interface FenceLanguage {
  /** In lower case. */
  readonly name: string
  /** Whether its info string may end with a configuration in braces. */
  readonly hasConfig: boolean
  /** Makes the blocks of a fence that stands among other blocks. What is wrong with it is reported. */
  readonly createBlocks: (
    fence: Fence,
    comments: readonly DirectiveComment[],
    context: { readonly report: Report },
  ) => readonly Block[]
}

interface FenceContext {
  readonly isAgentNone: boolean
  readonly followsBlock: boolean
  readonly languages: readonly FenceLanguage[]
}
