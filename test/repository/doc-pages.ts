import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, trackedFiles } from './tracked-files.ts'

/** A page of `docs/`. */
export interface DocPage {
  /** Relative to the repository, with slashes. */
  readonly path: string
  readonly text: string
}

/** All pages of `docs/`, by path. */
export function readDocPages(): readonly DocPage[] {
  const paths = trackedFiles().filter((path) => /^docs\/.*\.md$/.test(path))
  return paths.toSorted().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** What stands between white space and has a letter or a digit: the bars of a table are no words. */
export function countWords({ text }: DocPage): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

/** The first line below the title says what kind of page it is, in one sentence or two. */
export function saysItsKind({ text }: DocPage): boolean {
  return /^# .+\n\n_(?:Tutorial|How-to|Reference|Explanation)\._(?: .+)?\n/.test(text)
}

/** Lines above 120 characters, as `line: text`. Rows of tables, code, and lines that a link makes long may be longer. */
export function longLines({ text }: DocPage): readonly string[] {
  const long = withoutFences(text)
    .split('\n')
    .map((line, index) => `${index + 1}: ${line}`)
    .filter((line) => line.replace(/^\d+: /, '').length > 120)
  return long.filter((line) => !/^\d+: *\|/.test(line) && !/(?:\]\(|<?https?:\/\/)\S{60,}/.test(line))
}

/** What stands in code: spans between backticks, and the lines of fences. */
export function readCode({ text }: DocPage): { readonly spans: readonly string[]; readonly lines: readonly string[] } {
  const spans = [...withoutFences(text).matchAll(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g)]
  const fences = [...text.matchAll(fence)].flatMap(([, , , code = '']) => code.split('\n'))
  return { spans: spans.map(([, , code = '']) => code.replaceAll(/\s+/g, ' ').trim()), lines: fences }
}

const fence = /^( *)(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1\2[`~]*$/gm

/** Lines keep their numbers. */
function withoutFences(text: string): string {
  return text.replaceAll(fence, (code) => code.replaceAll(/[^\n]/g, ''))
}
