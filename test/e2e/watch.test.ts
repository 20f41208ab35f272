import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { lanes } from '../support/lanes.ts'
import { startWatch, watchFiles } from '../support/watch-session.ts'

const spec = (title: string, block: string, frontMatter = ''): string =>
  `---\nagent: none\n${frontMatter}---\n\n# ${title}\n\n${block}\n`
const fence = (language: string, ...lines: readonly string[]): string => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``

const files = {
  ...watchFiles,
  'vitest.config.js': plainConfig,
  'cat.test.md': spec('Cat', fence('console', '$ cat data/one.txt', 'one'), 'watch: [data/**]\n'),
  'data/one.txt': 'one\n',
  'inc.test.md': spec('Inc', fence('console', '$ echo own', 'own'), 'include: [shared/login.md]\n'),
  'shared/login.md': `## Log in\n\n${fence('console', '$ echo in', 'in')}\n`,
  'ts.test.md': spec('Ts', fence('ts', `import { value } from './lib/outer.ts'`, 'expect(value).toBe(1)')),
  'lib/outer.ts': `export { value } from './inner.ts'\n`,
  'lib/inner.ts': 'export const value = 1\n',
  'plain.test.js': `import { test } from 'vitest'\ntest('plain', () => {})\n`,
}

describe.for(lanes.filter(({ unavailable }) => unavailable === undefined))('$name', (lane) => {
  test('what a spec is made of runs it again, and it alone, with fresh content', async () => {
    await using project = await createProject(files, lane)
    await using watch = await startWatch(project, lane)
    console.log(watch.first)
    console.log(await watch.runAfter(() => project.write('data/one.txt', 'two\n')))
    console.log(await watch.runAfter(() => project.write('cat.test.md', files['cat.test.md'].replace('\none', '\ntwo'))))
    console.log(await watch.runAfter(() => project.write('shared/login.md', files['shared/login.md'].replace('\nin', '\nout'))))
    console.log(await watch.runAfter(() => project.write('lib/inner.ts', 'export const value = 2\n')))
    console.log(await watch.runAfter(() => project.write('lib/inner.ts', 'export const value = 1\n')))
    console.log(await watch.runAfter(() => project.write('ts.test.md', files['ts.test.md'].replace('toBe(1)', 'toBe(3)'))))
    console.log(await watch.runsAfter(() => project.write('data/new.txt', 'x\n')))
    expect(1).toBe(1)
  })
})
