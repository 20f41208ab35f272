import { expect, test } from 'vitest'
import { mayHavePages } from '../../src/plan/options/option-defaults.ts'
import { isIndexPage } from '../../src/plan/spec-files.ts'

test('pages about specs are told from specs by their names', () => {
  const pages = ['README.md', 'sub/readme.de.MD', 'INDEX.md', 'readme-pt_BR.md']
  const specs = ['cart.md', 'readme-button.md', 'index-page.md', 'readme.test.md', 'readme.feature']
  expect([...pages, ...specs].filter((name) => isIndexPage(`/suite/${name}`, ['**/*.md']))).toEqual(pages)
  expect(isIndexPage('/suite/README.md', ['**/*.md', 'README.md'])).toBe(false)
})

test('they are looked for where the agent drives a browser', () => {
  expect((['browser', 'claude', 'auto', undefined] as const).filter((agent) => mayHavePages(agent))).toEqual([
    'browser',
  ])
})
