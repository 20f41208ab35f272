import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { drivesBrowser } from '../agents/registry.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import { basename, dirname, resolve } from 'node:path'
import { orNothing } from '../system/error-facts.ts'
import { isTextSpec } from '../system/spec-endings.ts'

/** Where an agent drives a browser, any markdown may be a spec. */
export function mayHavePages(agent: ResolvedOptions['agent'] | undefined): boolean {
  return typeof agent === 'string' && drivesBrowser(agent)
}

const names = /^(?:readme|index)(?:[.-][a-z]{2}(?:[-_][a-z]{2})?)?$/i

/**
 * Whether a page tells of specs: a README or index by its name, or a list of links to them. A page that an `include` pattern
 * spells out is a spec.
 */
export async function isIndexPage(file: string, include: readonly string[]): Promise<boolean> {
  const name = basename(file)
  if (isTextSpec(name) || include.some((pattern) => basename(pattern) === name)) return false
  if (names.test(name.replace(/\.md$/i, ''))) return true
  const text = await readFile(file, 'utf8').catch(() => '')
  return isListOfLinks(text, dirname(file))
}

export function describeLeftOut(pages: readonly string[]): string {
  return `mdtest: Left out, because they tell of specs and are none: ${pages.join(', ')}. To run one, give its path or an \`include\` pattern that ends with its name.`
}

/** Items of a list that begin with links: most specs have none, and the parser is large. */
const mayBeList = /^\s*(?:[-*+]|\d+[.)])\s+[*_]*\[/m

async function isListOfLinks(text: string, folder: string): Promise<boolean> {
  if (!mayBeList.test(text)) return false
  const { linksOfList } = await import('../spec/markdown/parse-markdown.ts')
  const links = linksOfList(text) ?? []
  const isThere = (link: string): boolean =>
    existsSync(resolve(folder, orNothing(() => decodeURIComponent(link)) ?? link))
  return links.length >= 2 && links.every((link) => /\.md$/i.test(link) && isThere(link))
}
