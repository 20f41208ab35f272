import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { capturesSpec, capturesWritten } from '../support/captures-spec.ts'
import { verdictsOf } from '../support/json-report.ts'

const block = (...lines: readonly string[]): string => ['```console', ...lines, '```', ''].join('\n')
const adds = block('$ echo id 7', String.raw`id {{id:/\d+/}}`)
const failing = block('$ echo id 8', String.raw`id {{id:/\d+/}}`, '$ echo x', 'y')
const slow = '```sh timeout=1s\nsleep 300\n```\n'
const tornDown = (name: string, ...blocks: readonly string[]): string =>
  `---\nagent: none\n---\n\n# A\n\n## One\n\n${blocks.join('\n')}\n## Teardown\n\n\`\`\`sh\necho "removed $id" >>${name}\n\`\`\`\n`

test('captured values are variables, also of the tear-down, `-u` keeps a continued command, secrets stay hidden', async () => {
  await using project = await createProject({
    'vitest.config.js': plainConfig,
    'shop.test.md': capturesSpec,
    'secret.test.md': capturesSpec.replace('echo "id $id"', 'echo "$token"').replace('\nold\n', '\n7 of 7\n'),
    'in-command.test.md': capturesSpec.replace('echo "id $id"', 'echo "id {{id}}"'),
    'lost.test.md': tornDown('lost', adds, slow),
    'failed.test.md': tornDown('failed', adds, failing),
  })
  const { stdout, all } = await project.vitest(['run', '--reporter=json', '--reporter=default'])
  expect(verdictsOf(stdout, 'secret.test.md')).toEqual(['pass verified', 'fail RUN_FAILED'])
  expect(all).toContain('- old\n+ 7 of 7')
  expect(all).toContain('- id {{id}}')
  expect(all).not.toContain('t0psecret')
  expect(all).toContain('in-command.test.md:21:10  capture-in-command')
  // Where the shell was lost, and where the block that captured failed.
  expect(await project.read('lost')).toBe('removed 7\n')
  expect(await project.read('failed')).toBe('removed 8\n')

  const updated = await project.mdtest(['run', '-u', 'shop.test.md'])
  expect(updated.all).toContain('1 passed, 0 failed')
  expect(await project.read('shop.test.md')).toContain(capturesWritten)
})
