import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { runJest } from '../support/jest-report.ts'
import { jest } from '../support/lane.ts'

const spec = String.raw`---
agent: none
env: { SHOP_TOKEN: t0psecret-value }
---

# Shop

## Add

${'```'}console
$ echo "added 7 for $SHOP_TOKEN"
added {{id:/\d+/}} for {{token:/.*/}}
$ printf '%s of %s\n' "$id" \
    "$(printenv id)"
old
${'```'}

## Read

${'```'}sh
echo "id $id"
${'```'}

${'```'}output
id {{id}}
${'```'}
`
const written = '"$id" \\\n    "$(printenv id)"\n7 of 7\n```\n'

describe('captured values in commands', () => {
  test('are variables in `vitest run` and `mdtest run`, -u keeps a continued command, secrets stay hidden', async () => {
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'shop.test.md': spec })
    const wrong = await project.vitest(['run'])
    expect(wrong.all).toContain('- old\n+ 7 of 7')
    const updated = await project.mdtest(['run', '-u'])
    expect(updated.all).toContain('1 passed, 0 failed')
    expect(await project.read('shop.test.md')).toContain(written)
    await project.write('shop.test.md', (await project.read('shop.test.md')).replace('echo "id $id"', 'echo "$token"'))
    const failed = await project.mdtest(['run'])
    expect(failed.exitCode).toBe(1)
    expect(failed.all).toContain('- id {{id}}')
    expect(failed.all).not.toContain('t0psecret')
    await project.write('shop.test.md', spec.replace('echo "id $id"', 'echo "id {{id}}"'))
    const problem = await project.mdtest(['run'])
    expect(problem.all).toContain('shop.test.md:21:10  capture-in-command')
    expect(problem.all).toContain('"$id"')
  })

  test('are there for the tear-down, also where the block that captured them failed, or the shell was lost', async () => {
    const block = (...lines: readonly string[]): string => ['```console', ...lines, '```', ''].join('\n')
    const adds = block('$ echo id 7', String.raw`id {{id:/\d+/}}`)
    const failing = block('$ echo id 8', String.raw`id {{id:/\d+/}}`, '$ echo x', 'y')
    const slow = '```sh timeout=1s\nsleep 20\n```\n'
    const teardown = '## Teardown\n\n```sh\necho "removed $id" >>trace\n```\n'
    const of = (...blocks: readonly string[]): string =>
      `---\nagent: none\n---\n\n# A\n\n## One\n\n${blocks.join('\n')}\n${teardown}`
    await using project = await createProject({ 'a.test.md': of(adds, slow), 'b.test.md': of(adds, failing) })
    await project.mdtest(['run', 'a.test.md'])
    expect(await project.read('trace')).toBe('removed 7\n')
    await project.mdtest(['run', 'b.test.md'])
    expect(await project.read('trace')).toBe('removed 7\nremoved 8\n')
  })

  test.skipIf(jest.unavailable !== undefined)('are variables under Jest', async () => {
    const config = "import { mdtest } from 'vitest-mdtest/jest'\nexport default mdtest()\n"
    await using project = await createProject({ 'jest.config.js': config, 'shop.test.md': spec }, jest)
    const { specs, all } = await runJest(project, ['-u'])
    expect(
      specs['shop.test.md']?.tests.map(({ status }) => status),
      all,
    ).toEqual(['passed', 'passed'])
    expect(await project.read('shop.test.md')).toContain(written)
  })
})
