import { chmod, symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'

const spec = (title: string, code = 'true', head = ''): string =>
  `---\nagent: none\n---\n\n${head}# ${title}\n\n\`\`\`sh\n${code}\n\`\`\`\n`

test('`mdtest run` counts as failed what Vitest cannot run: a link to no file, no environment, a file that is gone', async () => {
  await using project = await createProject({
    'a.test.md': spec('A', 'rm z.test.md'),
    'b.test.md': spec('B', 'true', `${'// @'}vitest-environment happy-dom\n\n`),
    'z.test.md': spec('Z'),
  })
  await symlink('nowhere', project.path('dangling.test.md'))
  await symlink('loop.test.md', project.path('loop.test.md'))
  const { exitCode, all } = await project.mdtest(['run'])
  expect(exitCode).toBe(1)
  expect(all).toContain('mdtest: dangling.test.md did not run: it is a link to')
  expect(all).toMatch(/^mdtest: b\.test\.md did not run:\nb\.test\.md:5:4 {2}vitest-comment /m)
  expect(all).toContain('happy-dom')
  expect(all).toMatch(/z\.test\.md/)
  expect(all).toMatch(/^1 passed, 4 failed$/m)
  const named = await project.mdtest(['run', 'dangling.test.md'])
  expect(named.all).toContain('`dangling.test.md` is not a regular file')
  expect(named.exitCode).toBe(2)
})

test.skipIf(process.getuid?.() === 0)('a spec that may not be read fails (skipped for root, who may)', async () => {
  await using project = await createProject({ 'a.test.md': spec('A') })
  await chmod(project.path('a.test.md'), 0)
  const { exitCode, all } = await project.mdtest(['run'])
  expect(exitCode).not.toBe(0)
  expect(all).toContain('EACCES')
})
