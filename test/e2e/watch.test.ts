import { rename } from 'node:fs/promises'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { hasTerminal, startWatch, watchFiles } from '../support/watch-session.ts'

const spec = (title: string, block: string, frontMatter = ''): string =>
  `---\nagent: none\n${frontMatter}---\n\n# ${title}\n\n${block}\n`
const fence = (language: string, ...lines: readonly string[]): string =>
  `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``

const config = (options = ''): string => `import { mdtest } from 'vitest-mdtest'
const agent = { command: [process.execPath, 'agent.mjs', '{log}'] }
export default { plugins: [mdtest({ agent${options} })] }
`

const files = {
  ...watchFiles,
  'vitest.config.js': config(),
  // Counts its starts in a file that no spec watches, and changes one that the spec does.
  'agent.mjs': `import { appendFileSync, writeFileSync } from 'node:fs'
appendFileSync('agent.starts', 'x')
writeFileSync('made/by-agent.txt', String(Date.now()))
writeFileSync(process.argv[2], '---\\nstatus: pass\\n---\\n')
`,
  'both.test.md': `---\nwatch: [made/, '*.logs/', 'reports/**']\n---\n\n# Prose\n\n${fence('sh verify', 'true')}\n\nLook around.\n\n# Code\n\n${fence('sh run', 'date +%s%N > made/by-block.txt')}\n`,
  'made/.gitkeep': '',
  'cat.test.md': spec('Cat', fence('console', '$ cat data/*', 'one'), 'watch: ["./data/**"]\n'),
  'data/one.txt': 'one\n',
  'inc.test.md': spec('Inc', fence('console', '$ echo own', 'own'), 'include: [shared/login.md, shared/late.md]\n'),
  'shared/login.md': `## Log in\n\n${fence('console', '$ echo in', 'in')}\n`,
  'ts.test.md': spec('Ts', fence('ts', `import { value } from './lib/outer.ts'`, 'expect(value).toBe(1)')),
  'lib/outer.ts': `export { value } from './inner.ts'\n`,
  'lib/inner.ts': 'export const value = 1\n',
  'plain.test.js': `import { test } from 'vitest'\nimport './data/one.txt?raw'\ntest('plain', () => {})\n`,
}

const waits = expect.stringMatching(/^skipped: AGENT_ON_DEMAND: /)

describe.runIf(hasTerminal())('a watch', () => {
  const cached = lane.vitestMajor === 5 ? '--fsModuleCache' : '--experimental.fsModuleCache'

  test('a watch runs again what a change is about, and agents on demand', async () => {
    await using project = await createProject(files)
    const json = ['--reporter=json', '--outputFile.json=reports/run.json']
    await using watch = await startWatch(project, [cached, ...json])
    const edit = async (name: keyof typeof files, from: string, to: string): Promise<void> =>
      project.write(name, (await project.read(name)).replace(from, to))
    const agentStarts = (): Promise<string> => project.read('agent.starts').catch(() => '')

    expect(watch.first.tests, watch.shown()).toEqual({
      'both.test.md > Code': 'passed',
      'both.test.md > Prose': waits,
      'cat.test.md > Cat': 'passed',
      'plain.test.js > plain': 'passed',
      'ts.test.md > Ts': 'passed',
    })
    await expect.poll(() => watch.shown()).toContain('on demand: 1 step in 1 spec waits for an agent.')

    const found = {
      'a file that a spec watches': await watch.runAfter(() => project.write('data/two.txt', 'two\n')),
      'its removal': await watch.runAfter(() => project.remove('data/two.txt')),
      'one that a test imports as well': await watch.runAfter(() => project.write('data/one.txt', '1\n')),
      'a spec': await watch.runAfter(() => edit('cat.test.md', '\none\n', '\n1\n')),
      'an included file that was missing': await watch.runAfter(() => project.write('shared/late.md', '')),
      'an included file that is gone': await watch.runAfter(() => project.remove('shared/late.md')),
      'and is there again': await watch.runAfter(() => project.write('shared/late.md', '')),
      'an included file': await watch.runAfter(() => edit('shared/login.md', '\nin', '\nout')),
      'what a module imports': await watch.runAfter(() => project.write('lib/inner.ts', 'export const value = 2\n')),
      'a block': await watch.runAfter(() => edit('ts.test.md', 'toBe(1)', 'toBe(2)')),
      'a spec with an agent': await watch.runAfter(() => edit('both.test.md', 'around', 'about')),
    }
    expect(Object.fromEntries(Object.entries(found).map(([what, { tests }]) => [what, tests]))).toEqual({
      'a file that a spec watches': { 'cat.test.md > Cat': 'failed' },
      'its removal': { 'cat.test.md > Cat': 'passed' },
      'one that a test imports as well': { 'cat.test.md > Cat': 'failed', 'plain.test.js > plain': 'passed' },
      'a spec': { 'cat.test.md > Cat': 'passed' },
      'an included file that was missing': {
        'inc.test.md > Inc > Log in': 'passed',
        'inc.test.md > Inc > Inc': 'passed',
      },
      'an included file that is gone': {},
      'and is there again': { 'inc.test.md > Inc > Log in': 'passed', 'inc.test.md > Inc > Inc': 'passed' },
      'an included file': {
        'inc.test.md > Inc > Log in': 'failed',
        'inc.test.md > Inc > Inc': expect.stringContaining('PREDECESSOR_FAILED'),
      },
      'what a module imports': { 'ts.test.md > Ts': 'failed' },
      'a block': { 'ts.test.md > Ts': 'passed' },
      'a spec with an agent': { 'both.test.md > Code': 'passed', 'both.test.md > Prose': waits },
    })
    expect(await agentStarts()).toBe('')

    const [demanded, ...more] = await watch.runsAfter(() => watch.press('a'), 1)
    expect(demanded?.tests).toMatchObject({ 'both.test.md > Prose': 'passed', 'plain.test.js > plain': 'passed' })
    expect(await agentStarts()).toBe('x')
    // What agent, block, journal, verdict and report have written starts nothing, nor does what comes later.
    expect(watch.shown()).toContain('both.test.md is not run again for made/by-')
    const later = await watch.runsAfter(() => project.write('both.logs/package.json', '{}'))
    expect([...more, ...later]).toEqual([])
    const again = await watch.runAfter(() => watch.press('r'))
    expect([again.tests['both.test.md > Prose'], await agentStarts()]).toEqual(['passed', 'xx'])
  })

  test('`r` runs again what ran last, where that were specs, and starts agents for nothing else', async () => {
    await using project = await createProject(files)
    await using watch = await startWatch(project, [])
    const agentStarts = (): Promise<string> => project.read('agent.starts').catch(() => '')
    const save = async (name: 'both.test.md' | 'cat.test.md' | 'plain.test.js'): Promise<void> =>
      project.write(name, `${await project.read(name)}\n`)
    await watch.runAfter(() => save('cat.test.md'))
    const cat = await watch.runAfter(() => watch.press('r'))
    expect(cat.tests).toEqual({ 'cat.test.md > Cat': 'passed' })
    const agains = [await watch.runAfter(() => watch.press('r')), await watch.runAfter(() => watch.press('r'))]
    expect(agains.map(({ tests }) => tests)).toEqual([cat.tests, cat.tests])
    await watch.runAfter(() => save('both.test.md'))
    expect(await agentStarts()).toBe('')
    const both = await watch.runAfter(() => watch.press('r'))
    expect(both.tests).toEqual({ 'both.test.md > Code': 'passed', 'both.test.md > Prose': 'passed' })
    expect(await agentStarts()).toBe('x')
    // After tests of the user Vitest runs all files: no agent of them was asked for.
    await watch.runAfter(() => save('plain.test.js'))
    const [all] = await watch.runsAfter(() => watch.press('r'), 1)
    expect(all?.tests).toMatchObject({
      'cat.test.md > Cat': 'passed',
      'both.test.md > Code': 'passed',
      'both.test.md > Prose': expect.stringContaining('its spec is none of those that ran last'),
      'plain.test.js > plain': 'passed',
    })
    expect(await agentStarts()).toBe('x')
    await project.write('cat.test.md', files['cat.test.md'].replace('\none', '\ntwo'))
    await watch.runsAfter(() => {}, 0)
    const failed = await watch.runAfter(() => watch.press('f'))
    expect(failed.tests).toEqual({ 'cat.test.md > Cat': 'failed' })
    await watch.runAfter(() => watch.press('u'))
    expect(await project.read('cat.test.md')).toBe(files['cat.test.md'])
    expect(await agentStarts()).toBe('x')
  })

  test('a filter is a demand, a saved configuration is none', async () => {
    await using project = await createProject(files)
    await using watch = await startWatch(project, ['both'])
    expect(watch.first.tests['both.test.md > Prose']).toBe('passed')
    // In one go: Vite gives up on a configuration that it reads half written.
    const configure = async (text: string): Promise<void> => {
      await project.write('node_modules/next.config.js', text)
      await rename(project.path('node_modules/next.config.js'), project.path('vitest.config.js'))
    }
    const restarted = await watch.runAfter(() => configure(`${config()}\n`))
    expect(restarted.tests['both.test.md > Prose'], watch.shown()).toEqual(waits)
    const always = await watch.runAfter(() => configure(config(', watchAgents: true')))
    expect(always.tests['both.test.md > Prose']).toBe('passed')
    const saved = await watch.runAfter(() => project.write('both.test.md', `${files['both.test.md']}\n`))
    expect(saved.tests['both.test.md > Prose']).toBe('passed')
  })
})

/** What an extension of an editor does: no file watcher, runs by specification, and Vitest is told of changes. */
const editor = `import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createVitest } from 'vitest/node'
const vitest = await createVitest('test', { watch: true, reporters: ['./node_modules/runs.mjs'] }, { server: { watch: null } })
await vitest.standalone()
const path = (name) => process.cwd() + '/' + name
const specs = await vitest.globTestSpecifications(['both', 'cat'])
const runs = () => (existsSync('node_modules/runs.jsonl') ? readFileSync('node_modules/runs.jsonl', 'utf8').split('\\n').length - 1 : 0)
const until = async (count) => {
  while (runs() < count) await setTimeout(50)
}
await vitest.rerunTestSpecifications(specs)
await until(1)
vitest.watcher.onFileChange(path('both.logs/package.json'))
// Nothing is to come of it, for which nobody can wait.
await setTimeout(1500)
vitest.watcher.onFileChange(path('data/one.txt'))
await until(2)
vitest.watcher.onFileChange(path('both.test.md'))
await until(3)
await vitest.close()
`

describe('in an editor', () => {
  test('a run is a demand, a change is none, and logs are nothing', async () => {
    await using project = await createProject({ ...files, 'editor.mjs': editor })
    const { all } = await execa(lane.node, ['editor.mjs'], {
      cwd: project.dir,
      all: true,
      reject: false,
      timeout: 60_000,
    })
    const lines = (await project.read('node_modules/runs.jsonl').catch(() => '')).trim().split('\n')
    expect(
      lines.map((line) => JSON.parse(line).tests),
      all,
    ).toEqual([
      { 'both.test.md > Prose': 'passed', 'both.test.md > Code': 'passed', 'cat.test.md > Cat': 'passed' },
      { 'cat.test.md > Cat': 'passed' },
      { 'both.test.md > Prose': waits, 'both.test.md > Code': 'passed' },
    ])
  })
})

const circle = (own: string, other: string): string =>
  `---\nagent: none\nwatch: [made/${other}]\n---\n\n# ${own}\n\n${fence('sh', `date +%s%N > made/${own}`)}\n`

test.runIf(hasTerminal())('specs that start one another come to rest', async () => {
  const specs = { 'ping.test.md': circle('ping', 'pong'), 'pong.test.md': circle('pong', 'ping') }
  await using project = await createProject({
    ...watchFiles,
    'vitest.config.js': plainConfig,
    'made/.gitkeep': '',
    ...specs,
  })
  await using watch = await startWatch(project)
  const runs = [...(await watch.runsAfter(() => {})), ...(await watch.runsAfter(() => project.write('made/pong', '')))]
  expect(runs.length).toBeGreaterThan(1)
  expect(runs.length).toBeLessThan(16)
})
