import { parseBrowserBlock } from '../browser/parse-browser-block.ts'
import { listExecuted } from './languages.ts'
import { parseAttributes } from './parse-attributes.ts'
import { parseDirectives, type DirectiveComment } from './parse-directives.ts'
import { parseTranscript } from './parse-transcript.ts'
import type { Word } from '../front-matter/parse-words.ts'
import type { Fence, FenceLanguage } from './fence.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Block, BlockAttributes } from '../spec.ts'

export interface BlockContext {
  readonly isAgentNone: boolean
  /** Nobody expects that anything is done here. */
  readonly isSkipped?: boolean
  readonly report: Report
  /** Of the dialects. */
  readonly languages: readonly FenceLanguage[]
}

/** Makes a block of a fence and of the directives above it; `undefined` where it cannot be one. */
export function createBlock(
  fence: Fence,
  comments: readonly DirectiveComment[],
  { report, languages }: BlockContext,
): Block | undefined {
  if (isInContainer(fence, report)) return undefined
  const role = readRole(fence, report)
  const kind = role === 'file' ? 'file' : kindOf(fence.language)
  if (kind === undefined) {
    report('unknown-language', fence, unknownLanguageMessage(fence.language, listExecuted(languages)))
    return undefined
  }
  const words = fence.words.filter((word) => !isRole(word))
  const isMcp = kind === 'console' && fence.language === 'mcp'
  const attributes = foldDirectives(parseAttributes(words, isMcp ? 'mcp' : kind, report), comments, report)
  if (isMcp && attributes.server === undefined) {
    report('bad-attribute-value', fence, 'An `mcp` block says whose tools it calls: add `server=NAME`.')
  }
  if (fence.code.trim() === '' && (kind === 'script' || kind === 'module' || kind === 'browser')) {
    report('empty-block', fence, 'The block holds no code, so it would always pass. Fill it, or take it away.')
  }
  const { line, column, code } = fence
  const base = { line, column, role, code, codeLine: line + 1, attributes }
  if (kind === 'console') {
    return { ...base, kind, commands: parseTranscript(code, { codeLine: line + 1, column }, report) }
  }
  if (kind === 'script') return { ...base, kind, expected: [] }
  if (kind === 'browser') {
    return { ...base, kind, lines: parseBrowserBlock(code, { codeLine: line + 1, column }, report) }
  }
  return kind === 'file' ? { ...base, kind } : { ...base, kind, language: fence.language === 'ts' ? 'ts' : 'js' }
}

/** Whether a block is where none is executed, which is reported. */
export function isInContainer(fence: Fence, report: Report): boolean {
  if (fence.container === undefined) return false
  const message = `A block inside a ${fence.container} is not executed. Move it out, or take its mark away; without an agent, mark it \`skip\`.`
  report('block-in-quote', fence, message)
  return true
}

/** Unmarked blocks come here only without an agent, where they are run. */
export function readRole({ words, line, column }: Fence, report: Report): Block['role'] {
  const marks = words.filter((word) => isRole(word) || word.name === 'file')
  if (new Set(marks.map(({ name }) => name)).size > 1) {
    const names = marks.map(({ name }) => `\`${name}\``).join(' and ')
    report(
      'conflicting-roles',
      { line, column },
      `The block is marked ${names}. Leave one of them; use two blocks for both.`,
    )
  } else if (marks.length > 1 && marks.every(isRole)) {
    report(
      'duplicate-attribute',
      marks[1] ?? { line, column },
      `\`${marks[0]?.name}\` is given twice. Leave one of them.`,
    )
  }
  const name = marks[0]?.name
  return name === 'verify' || name === 'file' ? name : 'run'
}

function isRole({ name, value }: Word): boolean {
  return value === undefined && (name === 'run' || name === 'verify')
}

function kindOf(language: string): Exclude<Block['kind'], 'file'> | undefined {
  if (language === 'console' || language === 'mcp') return 'console'
  if (language === 'sh') return 'script'
  if (language === 'browser') return 'browser'
  return language === 'ts' || language === 'js' ? 'module' : undefined
}

function unknownLanguageMessage(language: string, executed: string): string {
  const what = language === '' ? 'The block names no language' : `\`${language}\` blocks cannot be executed`
  return `${what}. Use one of ${executed}, or take \`run\`/\`verify\` away to leave the block to the agent.`
}

/** The attributes of a block with those that directives above it add. */
export function foldDirectives(
  attributes: BlockAttributes,
  comments: readonly DirectiveComment[],
  report: Report,
): BlockAttributes {
  const { directives, words } = parseDirectives(comments, report)
  for (const word of words) {
    if (word.name !== 'skip' && word.name !== 'timeout') {
      report(
        'unknown-directive',
        word,
        `\`${word.name}\` has no meaning above a block. Only \`skip\` and \`timeout\` have.`,
      )
    } else if (word.name === 'skip' ? attributes.skip !== undefined : attributes.timeoutMs !== undefined) {
      report('duplicate-directive', word, `\`${word.name}\` is also an attribute of the block. Leave one of them.`)
    }
  }
  const { skip, timeoutMs } = directives
  return {
    ...attributes,
    ...(skip === undefined ? {} : { skip: true }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}
