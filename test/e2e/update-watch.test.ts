import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { hasTerminal, startWatch, watchFiles } from '../support/watch-session.ts'

const spec = (title: string, command: string): string =>
  `---\nagent: none\nwatch: ['*.test.md']\n---\n\n# ${title}\n\n\`\`\`console\n$ ${command}\nold\n\`\`\`\n`

describe.runIf(hasTerminal())('a watch', () => {
  test('a watch that updates runs nothing again for what it wrote', async () => {
    const texts = { 'same.test.md': spec('Same', 'echo new'), 'other.test.md': spec('Other', 'date +%s%N') }
    await using project = await createProject({ ...watchFiles, 'vitest.config.js': plainConfig, ...texts })
    const lineOf = async (name: string): Promise<string | undefined> => (await project.read(name)).split('\n')[9]
    await using watch = await startWatch(project, ['-u'])
    const passed = { 'same.test.md > Same': 'passed', 'other.test.md > Other': 'passed' }
    expect(watch.first.tests, watch.shown()).toEqual(passed)
    expect(await watch.runsAfter(() => {})).toEqual([])
    expect(await lineOf('same.test.md')).toBe('new')
    expect(await lineOf('other.test.md')).toMatch(/^\d+$/)

    const before = await lineOf('other.test.md')
    const { tests } = await watch.runAfter(() => watch.press('a'))
    expect(tests).toEqual(passed)
    await expect.poll(() => watch.shown()).toContain('it was rewritten a moment ago')
    expect(await lineOf('other.test.md')).toBe(before)

    const saved = await watch.runsAfter(() => project.write('same.test.md', spec('Same', 'echo newer')), 1)
    expect(saved.map((run) => run.tests)).toEqual([passed])
    expect(await lineOf('same.test.md')).toBe('newer')
  })
})
