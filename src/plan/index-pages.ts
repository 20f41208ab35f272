import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** Names of pages about the files beside them, without their ending. */
const names = /^(?:readme|index)(?:[.-][a-z]{2}(?:[-_][a-z]{2})?)?$/i

/**
 * Whether a page is about the specs beside it and none itself: a README or index by its name, or a page that is a list of
 * links to them. One that an `include` pattern spells out is a spec.
 *
 * @param file absolute path
 * @param include globs
 */
export async function isIndexPage(file: string, include: readonly string[]): Promise<boolean> {
  const name = basename(file)
  if (include.some((pattern) => basename(pattern) === name)) return false
  if (names.test(name.replace(/\.md$/i, ''))) return true
  const text = await readFile(file, 'utf8').catch(() => '')
  return isListOfLinks(text, dirname(file))
}

const item = /^(?:[-*+]|\d+[.)])\s+/
const linkFirst = /^(?:\*\*|__)?\[[^\]]+\]\(([^)\s#]+\.md)(?:#[^)\s]*)?\)/i

/** Headings, one paragraph, and a list of at least two links to markdown that is there. */
function isListOfLinks(text: string, folder: string): boolean {
  const blocks = text.split(/\n\s*\n/).map((block) => block.trim().split('\n').map((line) => line.trim())) // prettier-ignore
  const rest = blocks.filter(([first = '']) => first !== '' && !first.startsWith('#'))
  const lists = rest.filter(([first = '']) => item.test(first))
  const items = lists.flat().filter((line) => item.test(line))
  const targets = items.map((line) => linkFirst.exec(line.replace(item, ''))?.[1])
  return (
    rest.length - lists.length <= 1 &&
    items.length >= 2 &&
    targets.every((target) => target !== undefined && existsSync(resolve(folder, target)))
  )
}
