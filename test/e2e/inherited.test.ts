import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { passingSpec } from '../support/specs.ts'

const config = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
const showInlined = {
  name: 'show-inlined',
  configureVitest({ project: { name, config, vite } }) {
    if (name !== 'mdtest') return
    console.log(JSON.stringify({ inline: config.server.deps.inline ?? false, alias: vite.config.resolve.alias }))
  },
}
export default defineConfig({ resolve: { alias: { '@here': '/here' } }, plugins: [mdtest(), showInlined] })
`

test("takes over the user's aliases, and leaves dependencies as they are", async () => {
  await using project = await createProject({ 'vitest.config.js': config, 'hello.test.md': passingSpec })
  const { stdout, exitCode } = await project.vitest(['run', '--project', 'mdtest'])
  expect(exitCode).toBe(0)
  const shown = stdout.split('\n').find((line) => line.startsWith('{')) ?? 'null'
  expect(JSON.parse(shown)).toEqual({
    // With `true` Vite would transform every package file by file, in every run.
    inline: false,
    alias: expect.arrayContaining([expect.objectContaining({ find: '@here', replacement: '/here' })]),
  })
})
