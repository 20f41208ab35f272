import { expect, test } from 'vitest'
import { projectOfAgent } from '../support/git-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'

// Other files, agents and tries: source-modified.slow.test.ts.
test('an agent that repairs the product does not pass at a retry, and is told', async () => {
  const verify = '```sh verify\ngrep right src/shop.js\n```\n'
  await using project = await projectOfAgent('grep -q right src/shop.js || { say fail; echo right > src/shop.js; }', {
    files: { 'shop.test.md': `# Shop\n\n## Buy\n\n<!-- mdtest: retry=1 -->\n\nBuy a mug.\n\n${verify}` },
  })
  const { stdout: first } = await project.vitest(['run', '--reporter=json'])
  expect(verdictsOf(first, 'shop.test.md').join()).toMatch(/^fail .*SOURCE_MODIFIED/)
  const messages = readJsonReport(first)['shop.test.md']?.[0]?.messages?.join()
  expect(messages).toMatch(/The agent changed what it was to test: `src\/shop\.js`\. Undo the change;.*`writes:`/)
})
