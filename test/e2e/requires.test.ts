import { chmod } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const spec = (name: string, frontMatter: string): string =>
  `---\nagent: none\n${frontMatter}---\n\n# ${name}\n\n## One\n\n\`\`\`sh\necho ${name} >> trace\n\`\`\`\n\n## Two\n\n\`\`\`sh\ntrue\n\`\`\`\n`
const config = { 'vitest.config.js': plainConfig }
const unmet = { code: 'REQUIRES_UNMET', needs: 'env:SHOP_KEY' }

test('a spec whose needs are not met is skipped with the reason, in every report', async () => {
  const files = {
    'a.test.md': spec('a', 'requires: ["mcp:mail", "env:SHOP_KEY", "bin:sh"]\n'),
    'b.test.md': spec('b', ''),
  }
  await using project = await createProject({ ...config, ...files })
  const json = await project.vitest(['run', '--reporter=json'])
  expect(json.exitCode, json.all).toBe(0)
  const report = readJsonReport(json.stdout)
  const message =
    'What the spec requires is not there: `mcp:mail` (not configured); `env:SHOP_KEY` (not set, or empty).'
  const skipped = { status: 'skipped', outcome: 'skipped', codes: [unmet.code], messages: [message] }
  expect(report['a.test.md']).toMatchObject([skipped, skipped])
  expect(report['b.test.md']).toMatchObject([{ status: 'passed' }, { status: 'passed' }])
  expect(await project.read('trace')).toBe('b\n')
  const junit = await project.vitest(['run', '--reporter=junit', 'a.test.md'])
  expect(junit.stdout).toContain('<property name="mdtest:reason" value="REQUIRES_UNMET">')
  expect(junit.stdout).toMatch(/<property name="mdtest:skip" value="What the spec requires is not there: `mcp:mail`/)
  const verbose = await project.vitest(['run', '--reporter=verbose', 'a.test.md'])
  expect(verbose.all).toContain('`env:SHOP_KEY` (not set, or empty)')
})

test('a spec whose needs are met runs', async () => {
  const env = { SHOP_KEY: 'hidden' }
  await using project = await createProject({
    ...config,
    'a.test.md': spec('a', 'requires: ["env:SHOP_KEY", "bin:sh"]\n'),
  })
  expect((await project.vitest(['run'], { env })).exitCode).toBe(0)
  expect(await project.read('trace')).toBe('a\n')
})

test('`mdtest run` skips it as well; a missing agent that is required is no error', async () => {
  const prose = '---\nagent: claude\nrequires: ["agent:claude"]\n---\n\n# Shop\n\nBuy.\n'
  await using project = await createProject({ 'a.test.md': prose, 'b.test.md': spec('b', '') })
  const { exitCode, stdout, all } = await project.mdtest(['run'], { env: { PATH: '/usr/bin:/bin' } })
  expect(exitCode, all).toBe(0)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed, 1 skipped')
  const alone = await project.mdtest(['run', 'a.test.md'], { env: { PATH: '/usr/bin:/bin' } })
  expect(alone.exitCode).toBe(2)
  expect(alone.all).toContain('skipped a.test.md: What the spec requires is not there: `agent:claude`')
})

test('side effects are left out under CI unless they are allowed', async () => {
  const files = { 'a.test.md': spec('a', 'side-effects: true\n') }
  await using project = await createProject({ ...config, ...files })
  const env = { CI: 'true' }
  const { stdout, exitCode } = await project.vitest(['run', '--reporter=json'], { env })
  expect(exitCode).toBe(0)
  expect(readJsonReport(stdout)['a.test.md']).toMatchObject([{ codes: ['SIDE_EFFECTS'] }, { codes: ['SIDE_EFFECTS'] }])
  expect((await project.mdtest(['run'], { env })).exitCode).toBe(2)
  await expect(project.read('trace')).rejects.toThrow('ENOENT')
  expect((await project.mdtest(['run', '--allow-side-effects'], { env })).exitCode).toBe(0)
  await project.write('vitest.config.js', plainConfig.replace('mdtest()', 'mdtest({ allowSideEffects: true })'))
  expect((await project.vitest(['run'], { env })).exitCode).toBe(0)
  expect(await project.read('trace')).toBe('a\na\n')
})

test('what an agent has taken away since is missed, and what was never there is not', async () => {
  const agent = `if test -n "$TAKE"; then rm tools/shop; fi\nprintf -- "---\\nstatus: pass\\n---\\n" > "$1"\n`
  const settings = `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] } })] }\n`
  const first = `# Shop\n\n## Buy\n\nBuy a mug.\n\n## Pay\n\n\`\`\`sh\ntest -e tools/shop || echo gone\n\`\`\`\n`
  const files = {
    'vitest.config.js': settings,
    'agent.sh': agent,
    'tools/shop': '#!/bin/sh\nexit 1\n',
    'a.test.md': `---\nrequires: ["bin:tools/shop"]\n---\n\n${first.slice(0, first.indexOf('## Pay'))}`,
    'b.test.md': spec('b', 'requires: ["bin:shop"]\n'),
    'c.test.md': spec('c', 'requires: ["bin:no-such-program"]\n'),
  }
  await using project = await createProject(files)
  await chmod(project.path('tools/shop'), 0o755)
  const PATH = `${project.path('tools')}:/usr/bin:/bin:${dirname(process.execPath)}`
  const honest = await project.mdtest(['run', 'a.test.md', 'c.test.md'], { env: { PATH } })
  expect(honest.exitCode, honest.all).toBe(0)
  const robbed = await project.mdtest(['run', 'a.test.md', 'b.test.md'], { env: { PATH, TAKE: '1' } })
  expect(robbed.exitCode, robbed.all).toBe(1)
  expect(robbed.all).toContain('tools/shop` has changed since an agent of this run was started')
})
