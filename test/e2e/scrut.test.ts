import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readSpecReports } from '../support/spec-reports.ts'

// What becomes of each mark and each key of the configuration is in fixtures/blocks/scrut-*.

const document = `---
dialect: scrut
---

# Document

Prose that no agent gets.

## Fails

\`\`\`scrut
$ X=1; echo a
b
\`\`\`

## Two cases

The first.

\`\`\`scrut
$ echo $X
1
\`\`\`

The second.

\`\`\`scrut
$ echo $X
1
\`\`\`
`

describe('test cases of scrut', () => {
  test('are tests of their own, and no agent is called whatever a flag says', async () => {
    await using project = await createProject({ 'a.test.md': document, 'vitest.config.js': plainConfig })
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    const { stdout: listed } = await project.mdtest(['list'])
    const { exitCode, all } = await project.mdtest(['run', '--agent', 'claude'])
    expect(readSpecReports(stdout, project.dir).get('a.test.md')?.tests).toEqual([
      { titles: ['Document', 'Fails'], status: 'failed', failures: [expect.stringContaining('a.test.md:13:1')] },
      { titles: ['Document', 'Two cases', 'The first.'], status: 'passed', failures: [] },
      { titles: ['Document', 'Two cases', 'The second.'], status: 'passed', failures: [] },
    ])
    expect(listed).toContain('a.test.md agent none')
    expect({ exitCode, all }).toEqual({ exitCode: 1, all: expect.stringContaining('2 passed: 2 verified; 1 failed') })
  })

  test('are chosen by the line of their fence, and do not answer for those that a filter left out', async () => {
    await using project = await createProject({ 'a.test.md': document, 'vitest.config.js': plainConfig })
    const { stdout } = await project.vitest(['run', '--reporter=json', 'a.test.md:27'])
    const inside = await project.mdtest(['run', 'a.test.md:28'])
    expect(
      readSpecReports(stdout, project.dir)
        .get('a.test.md')
        ?.tests.map(({ status }) => status),
    ).toEqual(['skipped', 'skipped', 'passed'])
    expect(inside).toMatchObject({ exitCode: 0, all: expect.stringContaining('1 passed: 1 verified') })
  })

  test('are rewritten by `-u`, in marks of scrut', async () => {
    const written = (lines: string): string => `---\ndialect: scrut\n---\n\n# Lines\n\n\`\`\`scrut\n${lines}\n\`\`\`\n`
    const command = String.raw`$ printf 'took 1 ms\na\xe2\x80\x8b\n[3]\n> b'; exit 2`
    const before = written(`# a comment\n${command}\ntook * ms (gl)\nno\n[1]`)
    await using project = await createProject({ 'a.test.md': before, 'vitest.config.js': plainConfig })
    const { exitCode } = await project.vitest(['run', '-u'])
    const after = String.raw`took * ms (gl)
a\xe2\x80\x8b (esc)
[3] (equal)
\x3e b (esc)
[2]`
    expect(await project.read('a.test.md')).toBe(written(`# a comment\n${command}\n${after}`))
    expect(exitCode).toBe(0)
    expect((await project.vitest(['run'])).exitCode).toBe(0)
  })
})
