import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'

const config = `import { mdtest } from 'vitest-mdtest'
const specs = (name) => ({
  plugins: [mdtest({ include: [\`\${name}/*.test.md\`], recordings: true })],
  test: { name, include: [] },
})
export default { test: { projects: [specs('one'), specs('two')] } }
`
const spec = '# Ends well\n\n```sh run\ntrue\n```\n'

test('a recording whose spec is gone is told once, however many projects have specs', async () => {
  await using project = await createProject({
    'vitest.config.js': config,
    'one/a.test.md': spec,
    'two/b.test.md': spec,
    'two/gone.recording.md': '---\nrecording-of: gone.test.md\n---\n',
  })
  const { stdout, all } = await project.vitest(['run'])
  expect(stdout, all).toMatch(/Tests +2 passed/)
  expect(stdout.match(/obsolete: .*/g)).toEqual([
    'obsolete: two/gone.recording.md: its spec is gone. Rename or delete it as well.',
  ])
})
