import { type Word, parseWords } from '../front-matter/value-forms.ts'
import type { Place } from '../spec.ts'
import { isNearly } from '../../system/text/did-you-mean.ts'
import type { Code } from 'mdast'
import type { Placeholders } from '../markdown/positions-and-placeholders.ts'

/** Only without an agent: `left-out` is code with `skip`, `passed-over` is code that mdtest cannot execute. */
export type FenceUse = 'block' | 'output' | 'left-out' | 'passed-over' | 'prose'

/** Whether a fence has a mark (`run`, `verify` or `file=`), which makes it a block with or without an agent. */
export function isMarked({ words }: Pick<Fence, 'words'>): boolean {
  return words.some(({ name, value }) => (value === undefined ? name === 'run' || name === 'verify' : name === 'file'))
}

/** If the first word is a mark, as in `run timeout=5s`, the language is empty. */
export function splitInfo(all: readonly Word[]): Pick<Fence, 'language' | 'words'> {
  return isMarked({ words: all.slice(0, 1) })
    ? { language: '', words: all }
    : { language: normalizeLanguage(all[0]?.raw ?? ''), words: all.slice(1) }
}

export function classifyFence(
  fence: Pick<Fence, 'language' | 'words' | 'container' | 'code'>,
  { isAgentNone, followsBlock }: { readonly isAgentNone: boolean; readonly followsBlock: boolean },
): FenceUse {
  const { language, words, container, code } = fence
  if (isMarked(fence)) return 'block'
  if (isOutput(language)) {
    // With an agent, an `output` fence without a block above it is part of the instructions.
    if (container === undefined && (isAgentNone || followsBlock)) return 'output'
    return isAgentNone ? 'passed-over' : 'prose'
  }
  if (!isAgentNone || isText(language)) return 'prose'
  if (words.some(({ name, value }) => name === 'skip' && value === undefined)) return 'left-out'
  if (Object.hasOwn(namesOfLanguages, language)) return 'block'
  const isCode = language === '' ? looksLikeTranscript(code) : code.trim() !== ''
  return isCode ? 'passed-over' : 'prose'
}

export interface Fence extends Place {
  /** First word of the info string, normalized (`sh` for `Bash`). Empty if this word is a mark or missing. */
  readonly language: string
  readonly words: readonly Word[]
  readonly info: string
  readonly code: string
  readonly marker: string
  readonly isClosed: boolean
  readonly container?: 'block quote' | 'footnote'
}

/** Reads the source text, because the markdown tree has no columns of words. `undefined` for indented code. */
export function readFence(
  node: Code,
  { text, placeholders }: { readonly text: string; readonly placeholders?: Placeholders },
): Fence | undefined {
  const { line = 1, column = 1, offset = 0 } = node.position?.start ?? {}
  const opening = /(`{3,}|~{3,})[ \t]*([^\n]*)/y
  opening.lastIndex = offset
  const match = opening.exec(text)
  if (match === null) return undefined
  const [whole, marker = '', info = ''] = match
  const all = parseWords(info, { line, column: column + whole.length - info.length })
  const isClosed = isClosedFence(node, text, marker)
  const fence: Fence = { line, column, ...splitInfo(all), info, code: node.value, marker, isClosed }
  return placeholders === undefined ? fence : filled(fence, placeholders)
}

function filled(fence: Fence, { fill }: Placeholders): Fence {
  const words = fence.words.map((word) =>
    word.value === undefined ? word : { ...word, value: fill(word.value), raw: fill(word.raw) },
  )
  return { ...fence, words, code: fill(fence.code) }
}

function isClosedFence(node: Code, text: string, marker: string): boolean {
  const { start, end } = node.position ?? {}
  if (start === undefined || end === undefined || start.line === end.line) return false
  const source = text.slice(start.offset, end.offset)
  const lastLine = source.slice(source.lastIndexOf('\n') + 1)
  const run = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(lastLine)?.[1]
  if (run === undefined || !run.startsWith(marker)) return false
  // If the last line is indented by four blanks, its backticks are content, and `node.value` contains them.
  const reachesEnd = node.value.split('\n').length === end.line - start.line
  return !(reachesEnd && (node.value.split('\n').at(-1) ?? '').trim() === run)
}

/** GitHub and other highlighters use these names. `zsh` is absent, because bash reads some zsh code differently. */
const namesOfLanguages: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh', 'bash', 'shell', 'shell-script', 'shellscript'],
  console: ['console', 'shell-session', 'shellsession', 'sh-session', 'bash-session', 'terminal-session'],
  ts: ['ts', 'typescript', 'mts'],
  js: ['js', 'javascript', 'mjs', 'node'],
}

const canonical: ReadonlyMap<string, string> = new Map(
  Object.entries(namesOfLanguages).flatMap(([language, names]) => names.map((name) => [name, language])),
)

/** The name of a language in mdtest, such as `sh` for `Bash`. Unknown names are only lower-cased. */
export function normalizeLanguage(name: string): string {
  const lower = name.toLowerCase()
  return canonical.get(lower) ?? lower
}

export function isOutput(language: string): boolean {
  return outputs.includes(language)
}

const outputs: readonly string[] = ['output', 'stdout', 'stderr']

export function isNearOutput(language: string): boolean {
  return /^(?:out|outputs?|expect(?:ed)?)\W*$/.test(language) || outputs.some((name) => isNearly(language, name))
}

/** Languages of data and markup. Even without an agent, a fence in one of these languages is text. */
const texts = new Set(
  (
    'text txt plain plaintext log csv tsv json json5 jsonc jsonl ndjson yaml yml toml ini properties env dotenv xml svg html ' +
    'css scss less md markdown mdx rst tex latex diff patch sql graphql gql http mermaid plantuml dot proto protobuf ' +
    'dockerfile docker nginx hcl terraform tf ignore gitignore regex'
  ).split(' '),
)

export function isText(language: string): boolean {
  return texts.has(language)
}

export function looksLikeTranscript(text: string): boolean {
  return /^[ \t]*\$[ \t]+\S/m.test(text)
}

export function listExecuted(): string {
  return Object.keys(namesOfLanguages)
    .map((name) => `\`${name}\``)
    .join(', ')
}

/** Returns advice with a leading space, and for most languages an empty text. */
export function describeForeign(language: string): string {
  const near = [...canonical.keys()].find((known) => isNearly(language, known))
  if (near !== undefined) return ` Did you mean \`${near}\`?`
  if (language === 'scrut') return ' Call it `console` and write its lines as docs/coming-from.md says.'
  if (language === 'browser') return " Browser blocks are Playwright's code: call it `ts browser`."
  if (language === 'mcp') return ' Tools of MCP servers are called by code: write a `ts` block with an MCP client.'
  return /^(?:zsh|ksh|dash|ash|fish)$/.test(language)
    ? ' Scripts are run by bash: call it `sh` where that is right.'
    : ''
}
