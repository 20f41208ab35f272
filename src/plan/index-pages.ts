import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { drivesBrowser } from '../agents/registry.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import { basename, dirname, resolve } from 'node:path'
import { orNothing } from '../system/error-facts.ts'
import { isTextSpec } from '../system/spec-endings.ts'

/** Whether specs may have ordinary names: for an agent that drives a browser, any markdown page may be a spec. */
export function mayHavePages(agent: ResolvedOptions['agent'] | undefined): boolean {
  return typeof agent === 'string' && drivesBrowser(agent)
}

const names = /^(?:readme|index)(?:[.-][a-z]{2}(?:[-_][a-z]{2})?)?$/i

/**
 * Whether a page only lists specs: a README or index by its name, or a list of links to markdown files. A page that an
 * `include` pattern names is a spec.
 */
export async function isIndexPage(file: string, include: readonly string[]): Promise<boolean> {
  const name = basename(file)
  if (isTextSpec(name) || include.some((pattern) => basename(pattern) === name)) return false
  if (names.test(name.replace(/\.md$/i, ''))) return true
  const text = await readFile(file, 'utf8').catch(() => '')
  return isListOfLinks(text, dirname(file))
}

export function describeLeftOut(pages: readonly string[]): string {
  return `mdtest: Left out, because they only list specs: ${pages.join(', ')}. To run one, give its path or an \`include\` pattern that ends with its name.`
}

/** A list item that begins with a link. Tested before the parser is loaded, because most specs have none. */
const mayBeList = /^\s*(?:[-*+]|\d+[.)])\s+[*_]*\[/m

async function isListOfLinks(text: string, folder: string): Promise<boolean> {
  if (!mayBeList.test(text)) return false
  const { linksOfList } = await import('../spec/markdown/parse-markdown.ts')
  const links = linksOfList(text) ?? []
  const isThere = (link: string): boolean =>
    existsSync(resolve(folder, orNothing(() => decodeURIComponent(link)) ?? link))
  return links.length >= 2 && links.every((link) => /\.md$/i.test(link) && isThere(link))
}
