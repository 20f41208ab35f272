import type { Block, FrontMatter, Place } from './spec.ts'

// What the format has and this version cannot execute. Each is reported, never passed over; delete an entry here once
// the executor can do it.

const languages: readonly string[] = ['ts', 'js']
const directives: readonly string[] = ['fails', 'timeout']
const headings: readonly string[] = ['examples']

const patterns: readonly RegExp[] = [
  /^\.\.\.$/,
  / \((?:glob|re|esc|no-eol|equal)[?*+]?\)$/,
  /\{\{[A-Za-z_]\w*(?::\/.{0,500}\/)?\}\}/,
]

const frontMatter: Readonly<Record<string, (values: FrontMatter) => boolean>> = {
  agent: ({ agent }) => agent === 'browser',
  requires: ({ requires }) => requires.length > 0,
  watch: ({ watch }) => watch.length > 0,
}

export interface Unsupported {
  readonly place: Place
  readonly message: string
}

/** Everything in a block that cannot be executed yet. */
export function findUnsupportedInBlock(block: Block): readonly Unsupported[] {
  const { line, column } = block
  if (block.kind === 'module' && languages.includes(block.language)) {
    return [{ place: { line, column }, message: message(`A \`${block.language}\` block`) }]
  }
  return findPatterns(block)
}

/** Keys of the front matter whose value asks for what cannot be done yet. */
export function findUnsupportedKeys(
  values: FrontMatter,
): readonly { readonly key: string; readonly message: string }[] {
  return Object.entries(frontMatter)
    .filter(([, isUsed]) => isUsed(values))
    .map(([key]) => ({ key, message: message(`This value of \`${key}\``) }))
}

/** A message where the directive cannot be acted on yet. */
export function findUnsupportedDirective(name: string): string | undefined {
  return directives.includes(name) ? message(`The directive \`${name}\``) : undefined
}

/** A message where a heading with a table below it means what cannot be done yet. */
export function findUnsupportedTable(title: string): string | undefined {
  return headings.includes(title.toLowerCase()) ? message(`A table under \`${title}\``) : undefined
}

function findPatterns(block: Block): readonly Unsupported[] {
  return expectedLines(block)
    .filter(({ text }) => patterns.some((pattern) => pattern.test(text)))
    .map(({ line, text }) => ({ place: { line, column: block.column }, message: message(`The pattern \`${text}\``) }))
}

function expectedLines(block: Block): readonly { readonly line: number; readonly text: string }[] {
  const toLines = (texts: readonly string[], line: number) => texts.map((text, index) => ({ line: line + index, text }))
  if (block.kind === 'script') return block.expected.flatMap(({ text, line }) => toLines(text.split('\n'), line))
  if (block.kind !== 'console') return []
  return block.commands.flatMap(({ command, expected, line }) => toLines(expected, line + command.split('\n').length))
}

function message(what: string): string {
  return `${what} is not supported yet. Take it out or leave this part to a later version.`
}
