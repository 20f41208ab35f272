import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, linksOf } from '../support/markdown-links.ts'
import { root, trackedFiles } from './tracked-files.ts'

/** What npm adds to the package besides `files`. */
const alwaysPacked = ['README.md', 'LICENSE', 'package.json']
const { files: packed }: { files: readonly string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const pages = trackedFiles().filter((file) => /^(?:[A-Z]+\.md|docs\/.*\.md)$/.test(file))

describe.each(pages)('%s', (page) => {
  const links = linksOf(page, readFileSync(join(root, page), 'utf8'))

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

test('what sources and pages say of pages is there', () => {
  const files = trackedFiles().filter((file) =>
    /^(?:src|scripts|bench|docs)\/.*\.(?:ts|mjs|md)$|^[A-Z]+\.md$/.test(file),
  )
  const named = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const paths = [...text.matchAll(/(?<![\w/.])docs\/[\w/-]+\.md/g)].map(([path]) => path)
    const topics = [...text.matchAll(/`(?:npx )?(?:vitest-)?mdtest docs ([a-z][\w/-]*)`/g)].map(([, topic]) => topic)
    const ofTopics = topics.map((topic) => `docs/${topic}.md`)
    return [...paths, ...ofTopics].map((path) => ({ file, path }))
  })
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

function isPacked(file: string): boolean {
  const isBelow = (path: string): boolean => file === path || file.startsWith(`${path}/`)
  return alwaysPacked.includes(file) || packed.some(isBelow)
}
