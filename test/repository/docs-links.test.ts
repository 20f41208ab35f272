import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from './tracked-files.ts'

/** What npm adds to the package besides `files`. */
const alwaysPacked = ['README.md', 'LICENSE', 'package.json']
const { files: packed }: { files: readonly string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const leftOut = packed.filter((each) => each.startsWith('!')).map((each) => each.slice(1))

const pages = trackedFiles().filter((file) => /^(?:README\.md|docs\/.*\.md)$/.test(file))

describe.each(pages)('%s', (page) => {
  const links = linksOf(readFileSync(join(root, page), 'utf8')).map((link) => ({ link, ...resolveLink(page, link) }))

  test('links to what is there', () => {
    expect(links.filter(({ file }) => !existsSync(join(root, file))).map(({ link }) => link)).toEqual([])
  })

  test('links to what is in the package', () => {
    expect(links.filter(({ file }) => !isPacked(file)).map(({ link }) => link)).toEqual([])
  })

  test('links to headings that are there', () => {
    const isThere = ({ file, anchor }: { file: string; anchor: string }): boolean =>
      anchor === '' || anchorsOf(readFileSync(join(root, file), 'utf8')).includes(anchor)
    const linked = links.filter(({ file }) => file.endsWith('.md') && existsSync(join(root, file)))
    expect(linked.filter((link) => !isThere(link)).map(({ link }) => link)).toEqual([])
  })
})

function isPacked(file: string): boolean {
  const isBelow = (path: string): boolean => file === path || file.startsWith(`${path}/`)
  return alwaysPacked.includes(file) || (packed.some(isBelow) && !leftOut.some(isBelow))
}

/** Targets of the links and pictures of a page that lead into the repository, code left out. */
function linksOf(markdown: string): readonly string[] {
  const prose = withoutCode(markdown)
  const inText = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const inHtml = [...prose.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)].map(([, target = '']) => target)
  return [...inText, ...inHtml].filter((target) => !/^[a-z]+:/.test(target))
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1`*$/gm, '').replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
}

function resolveLink(page: string, link: string): { readonly file: string; readonly anchor: string } {
  const [path = '', anchor = ''] = decodeURI(link).split('#')
  const file = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '')
  return { file, anchor }
}

/** Anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1`*$/gm, '')
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
