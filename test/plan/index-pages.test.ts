import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isIndexPage, mayHavePages } from '../../src/plan/index-pages.ts'

const links = '- [Cart](cart.md)\n- [Account](sub/account.md#log-in): log in\n'

const pages: Readonly<Record<string, string>> = {
  'README.md': '# Any text\n\n1. Do it.\n',
  'sub/readme.de.MD': '',
  'INDEX.md': '# A\n',
  'all.md': `# All\n\nOne for each part.\n\n## Plans\n\n${links}`,
  'described.md':
    '---\ntitle: All\n---\n\n# All\n\n* [Cart](cart.md)\n\n  with prices\n* [_Two_ words](<two words.md>)\n* [again](two%20words.md)\n',
  'bold.md': '1. **[Cart](cart.md)**\n2. [Account](./sub/account.md)\n',
}

const specs: Readonly<Record<string, string>> = {
  'cart.md': '# Cart\n\nOpen it.\n',
  'two words.md': '# Two\n\nOpen it.\n',
  'sub/account.md': '# Account\n\n- Log in\n',
  'readme-button.md': '# The button\n\nClick it.\n',
  'index-page.md': '# The index page\n\nOpen it.\n',
  'one-link.md': '# Shop\n\nOpen it.\n\n- [Cart](cart.md) tells more\n',
  'prose-and-links.md': `# Shop\n\nOpen the shop.\n\n${links}\nThen close it.\n`,
  'lost-links.md': '# Shop\n\n- [Help](help.md) is linked\n- [Terms](terms.md) are linked\n',
  'checks.md': `# Shop\n\nOpen it.\n\n- [ ] it opens\n${links}`,
  'code.md': '# Shop\n\n```md\n- [Cart](cart.md)\n- [Account](sub/account.md)\n```\n\nOpen it.\n',
  'no-list.md': '# Shop\n\nSee [Cart](cart.md) and [Account](sub/account.md).\n',
  'empty.md': '',
}

test('pages about specs are told from specs', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-pages-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [name, text] of Object.entries({ ...pages, ...specs })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const found: string[] = []
  for (const name of [...Object.keys(pages), ...Object.keys(specs), 'gone.md']) {
    if (await isIndexPage(join(root, name), ['**/*.md'])) found.push(name)
  }
  expect(found).toEqual(Object.keys(pages))
  expect(await isIndexPage(join(root, 'README.md'), ['**/*.md', 'README.md'])).toBe(false)
  expect(await isIndexPage(join(root, 'all.md'), ['**/all.md'])).toBe(false)
})

test('they are looked for where the agent drives a browser', () => {
  expect((['browser', 'claude', 'auto', undefined] as const).filter((agent) => mayHavePages(agent))).toEqual([
    'browser',
  ])
})
