import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const spec = (name: string, frontMatter: string): string =>
  `---\nagent: none\n${frontMatter}---\n\n# ${name}\n\n## One\n\n\`\`\`sh\necho ${name} >> trace\n\`\`\`\n\n## Two\n\n\`\`\`sh\ntrue\n\`\`\`\n`

const files = {
  'vitest.config.js': plainConfig,
  'unmet.test.md': spec('unmet', 'requires: ["mcp:mail", "env:OTHER_KEY", "bin:sh"]\n'),
  'met.test.md': spec('met', 'requires: ["env:SHOP_KEY", "bin:sh"]\n'),
  'sends.test.md': spec('sends', 'side-effects: true\n'),
  'prose.test.md': '---\nagent: claude\nrequires: ["agent:claude"]\n---\n\n# Shop\n\nBuy.\n',
}

test('a spec whose needs are not met, or with side effects under CI, is skipped with the reason in every report', async () => {
  await using project = await createProject(files)
  const env = { CI: 'true', SHOP_KEY: 'hidden', PATH: '/usr/bin:/bin' }
  const reporters = ['--reporter=verbose', '--reporter=junit', '--outputFile.junit=junit.xml']
  const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json', ...reporters], { env })
  expect(exitCode, all).toBe(0)
  const message =
    'What the spec requires is not there: `mcp:mail` (not configured); `env:OTHER_KEY` (not set, or empty).'
  const unmet = { status: 'skipped', outcome: 'skipped', codes: ['REQUIRES_UNMET'], messages: [message] }
  const sends = { status: 'skipped', codes: ['SIDE_EFFECTS'] }
  expect(readJsonReport(stdout)).toMatchObject({
    'unmet.test.md': [unmet, unmet],
    'met.test.md': [{ status: 'passed' }, { status: 'passed' }],
    'sends.test.md': [sends, sends],
    // A missing agent that is required is no error.
    'prose.test.md': [{ status: 'skipped', codes: ['REQUIRES_UNMET'] }],
  })
  expect(await project.read('trace')).toBe('met\n')
  expect(all).toContain('`env:OTHER_KEY` (not set, or empty)')
  const junit = await project.read('junit.xml')
  expect(junit).toContain('<property name="mdtest:reason" value="REQUIRES_UNMET">')
  expect(junit).toMatch(/<property name="mdtest:skip" value="What the spec requires is not there: `mcp:mail`/)
})

test('`mdtest run` skips it as well, and side effects may be allowed', async () => {
  await using project = await createProject(files)
  const env = { CI: 'true', PATH: '/usr/bin:/bin' }
  const { exitCode, all } = await project.mdtest(['run', '--allow-side-effects'], { env })
  expect(exitCode, all).toBe(0)
  expect(all).toContain('skipped prose.test.md: What the spec requires is not there: `agent:claude`')
  expect(all).toContain('1 passed, 0 failed, 3 skipped')
  expect(await project.read('trace')).toBe('sends\n')
})
