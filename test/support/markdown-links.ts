import { dirname, join, normalize } from 'node:path'

/** A link of a page to another file. */
export interface MarkdownLink {
  /** As written. */
  readonly link: string
  /** Path of the file, from where the path of the page begins. */
  readonly file: string
  /** Without the `#`; empty where there is none. */
  readonly anchor: string
}

/**
 * The links and pictures of a page that lead to files, code left out.
 * @param page path of the page
 */
export function linksOf(page: string, markdown: string): readonly MarkdownLink[] {
  const prose = withoutCode(markdown)
  const patterns = [/\]\(([^)\s]+)\)/g, /^ {0,3}\[[^\]]+\]:\s*(\S+)/gm, /\b(?:src|srcset|href)="([^"]+)"/g]
  return patterns
    .flatMap((pattern) => [...prose.matchAll(pattern)].map(([, target = '']) => target))
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((link) => resolveLink(page, link))
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1`*$/gm, '')
}

function resolveLink(page: string, link: string): MarkdownLink {
  const [path = '', anchor = ''] = decodeURI(link).split('#')
  const file = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '')
  return { link, file, anchor }
}

/** Anchors of the headings of a page, as GitHub makes them. */
export function anchorsOf(markdown: string): readonly string[] {
  return [...withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
