import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'

const own = (name: string): string => `import { appendFileSync } from 'node:fs'
import { test } from 'vitest'
test('${name}', () => appendFileSync('order.txt', '${name}\\n'))
`

test.each([[[]], [['--maxWorkers=1']], [['--maxWorkers=3']], [['--no-file-parallelism']]])(
  'specs run after the tests of the user with %j',
  async (flags) => {
    await using project = await createProject({
      'vitest.config.ts': plainConfig,
      'a.test.ts': own('own'),
      'b.test.ts': own('own'),
      'a.test.md': '---\nagent: none\n---\n\n# Spec\n\n```sh\necho spec >> order.txt\n```\n',
    })
    const { exitCode, all } = await project.vitest(['run', ...flags])
    expect(exitCode, all).toBe(0)
    expect(await project.read('order.txt')).toBe('own\nown\nspec\n')
  },
)

test('and after those of all their projects', async () => {
  await using project = await createProject({
    'vitest.config.ts': plainConfig.replace(
      'plugins:',
      `test: { projects: [
        { test: { name: 'one', include: ['one/*.test.ts'], maxWorkers: 1 } },
        { test: { name: 'many', include: ['many/*.test.ts'], maxWorkers: 3, sequence: { groupOrder: 2 } } },
      ] }, plugins:`,
    ),
    'one/a.test.ts': own('own'),
    'many/b.test.ts': own('own'),
    'a.test.md': '---\nagent: none\n---\n\n# Spec\n\n```sh\necho spec >> order.txt\n```\n',
  })
  const { exitCode, all } = await project.vitest(['run'])
  expect(exitCode, all).toBe(0)
  expect(await project.read('order.txt')).toBe('own\nown\nspec\n')
})
