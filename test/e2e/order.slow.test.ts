import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'

const own = (name: string): string => `import { appendFileSync } from 'node:fs'
import { test } from 'vitest'
test('${name}', () => appendFileSync('order.txt', '${name}\\n'))
`
const spec = '---\nagent: none\n---\n\n# Spec\n\n```sh\necho spec >> order.txt\n```\n'

test.each([[[]], [['--no-file-parallelism']]])('specs run after the tests of the user with %j', async (flags) => {
  await using project = await createProject({
    'vitest.config.ts': plainConfig,
    ...{ 'a.test.ts': own('own'), 'b.test.ts': own('own'), 'a.test.md': spec },
  })
  const { exitCode, all } = await project.vitest(['run', ...flags])
  expect(exitCode, all).toBe(0)
  expect(await project.read('order.txt')).toBe('own\nown\nspec\n')
})

const config = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
const showInlined = {
  name: 'show-inlined',
  configureVitest({ project: { name, config, vite } }) {
    if (name !== 'mdtest') return
    console.log(JSON.stringify({ inline: config.server.deps.inline ?? false, alias: vite.config.resolve.alias }))
  },
}
export default defineConfig({
  resolve: { alias: { '@here': '/here' } },
  test: { projects: [
    { test: { name: 'one', include: ['one/*.test.ts'], maxWorkers: 1 } },
    { test: { name: 'many', include: ['many/*.test.ts'], maxWorkers: 3, sequence: { groupOrder: 2 } } },
  ] },
  plugins: [mdtest(), showInlined],
})
`

test("specs run after those of all projects, with the user's aliases, and leave dependencies as they are", async () => {
  await using project = await createProject({
    'vitest.config.ts': config,
    ...{ 'one/a.test.ts': own('own'), 'many/b.test.ts': own('own'), 'a.test.md': spec },
  })
  const { exitCode, stdout, all } = await project.vitest(['run'])
  expect(exitCode, all).toBe(0)
  expect(await project.read('order.txt')).toBe('own\nown\nspec\n')
  const shown = stdout.split('\n').find((line) => line.startsWith('{')) ?? 'null'
  expect(JSON.parse(shown)).toEqual({
    // With `true` Vite would transform every package file by file, in every run.
    inline: false,
    alias: expect.arrayContaining([expect.objectContaining({ find: '@here', replacement: '/here' })]),
  })
})
