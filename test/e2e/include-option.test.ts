import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const spec = (title: string): string =>
  `---\nagent: none\n---\n\n# ${title}\n\n## Code\n\n\`\`\`ts verify\nexpect(1).toBe(1)\n\`\`\`\n`
const config = `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ include: ['specs/**/*.{md,MD}'] })] }
`
const plainConfig = config.replace(/\{ include.*?\] \}/, '')
const files = {
  'vitest.config.js': config,
  'specs/cart.md': spec('Cart'),
  'specs/sub/PAY.MD': spec('Pay'),
  'specs/reports/old.md': spec('Old'),
  'specs/AUTH_LOGIN.md': spec('Login'),
  'specs/cart.logs/note.md': spec('Log'),
  'other.test.md': spec('Other'),
  'README.md': spec('Readme'),
}

test('the option `include` says which files are specs, for commands too', async () => {
  await using project = await createProject(files)
  const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode, all).toBe(0)
  expect(Object.keys(readJsonReport(stdout)).toSorted()).toEqual(['PAY.MD', 'cart.md', 'old.md'])
  const ran = await project.mdtest(['run', '--reporter=json'])
  expect(Object.keys(readJsonReport(ran.stdout)).toSorted(), ran.all).toEqual(['PAY.MD', 'cart.md', 'old.md'])
  const listed = await project.mdtest(['list', '--json', 'specs/sub'])
  expect(listed.all).toContain('"title": "Pay"')
  expect((await project.mdtest(['run', 'README.md'])).all).toContain('does not match `specs/**/*.{md,MD}`')
})

test('`mdtest run` takes folders, and other files with `--include` or for the agent `browser`', async () => {
  await using project = await createProject({ ...files, 'vitest.config.js': plainConfig })
  const ran = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { stdout, all } = await project.mdtest(['run', '--reporter=json', ...args])
    expect(stdout, all).toContain('"numTotalTests"')
    return Object.keys(readJsonReport(stdout)).toSorted()
  }
  expect(await ran()).toEqual(['other.test.md'])
  expect(await ran('--include', 'specs/*.md', '--include', '*.test.md')).toEqual(['cart.md', 'other.test.md'])
  // No prose, so nobody asks for a model.
  expect(await ran('specs', '-a', 'browser')).toEqual(['PAY.MD', 'cart.md'])
  expect(await ran('specs/sub/PAY.MD:7', '-a', 'browser')).toEqual(['PAY.MD'])
})
