import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { hasTerminal, startWatch } from '../support/watch-session.ts'
import { waitsFor, watchedFiles } from '../support/watch-specs.ts'

const cat = (state: string) => ({ 'cat.test.md > Cat': state })
const both = (prose: unknown) => ({ 'both.test.md > Prose': prose, 'both.test.md > Code': 'passed' })
const first = {
  ...both(expect.stringMatching(waitsFor('the watch begins'))),
  ...cat('passed'),
  'plain.test.js > plain': 'passed',
  'ts.test.md > Ts': 'passed',
}
const saved = expect.stringMatching(waitsFor('a file was saved'))

describe.runIf(hasTerminal())('a watch', () => {
  test('runs again what a change is about, and agents on demand', async () => {
    await using project = await createProject(watchedFiles)
    const cached = lane.vitestMajor === 5 ? '--fsModuleCache' : '--experimental.fsModuleCache'
    const json = ['--reporter=json', '--outputFile.json=reports/run.json']
    await using watch = await startWatch(project, first, [cached, ...json])
    const { expectRun, save, press } = watch
    const edit = async (name: keyof typeof watchedFiles, from: string, to: string): Promise<void> =>
      save(name, (await project.read(name)).replace(from, to))
    const agentStarts = (): Promise<string> => project.read('agent.starts').catch(() => '')
    await watch.expectShown('on demand: 1 step in 1 spec waits for an agent.')

    // A file that the spec watches comes, goes, and is one that a test imports as well.
    await expectRun(() => save('data/two.txt', 'two\n'), cat('failed'))
    await expectRun(() => project.remove('data/two.txt'), cat('passed'))
    await expectRun(() => save('data/one.txt', '1\n'), { ...cat('failed'), 'plain.test.js > plain': 'passed' })
    await expectRun(() => edit('cat.test.md', '\none\n', '\n1\n'), cat('passed'))
    // An included file was missing, is changed, is gone, and is there again.
    const inc = (login: string, own: unknown) => ({
      'inc.test.md > Inc > Log in': login,
      'inc.test.md > Inc > Inc': own,
    })
    await expectRun(() => save('shared/late.md', ''), inc('passed', 'passed'))
    await expectRun(() => project.remove('shared/late.md'), {})
    await expectRun(() => save('shared/late.md', ''), inc('passed', 'passed'))
    await expectRun(() => edit('shared/login.md', '\nin', '\nout'), inc('failed', 'passed'))
    // What the module of a block imports, and the block.
    await expectRun(() => save('lib/inner.ts', 'export const value = 2\n'), { 'ts.test.md > Ts': 'failed' })
    await expectRun(() => edit('ts.test.md', 'toBe(1)', 'toBe(2)'), { 'ts.test.md > Ts': 'passed' })
    await expectRun(() => edit('both.test.md', 'around', 'about'), both(saved))
    expect(await agentStarts()).toBe('')

    await expectRun(() => press('a'), expect.objectContaining(both('passed')))
    expect(await agentStarts()).toBe('x')
    // What agent, block, journal, verdict and report have written starts nothing, nor does what comes later.
    await watch.expectShown('both.test.md is not run again for made/by-')
    const before = (await watch.runs()).length
    await project.write('both.logs/package.json', '{}')
    await expectRun(() => edit('cat.test.md', '# Cat', '# Cat '), cat('passed'))
    expect((await watch.runs()).slice(before)).toEqual([cat('passed')])
  })

  test('`r` runs again what ran last, where that were specs, and starts agents for nothing else', async () => {
    await using project = await createProject(watchedFiles)
    await using watch = await startWatch(project, first)
    const { expectRun, save, press } = watch
    const agentStarts = (): Promise<string> => project.read('agent.starts').catch(() => '')
    const touch = async (name: 'both.test.md' | 'cat.test.md' | 'plain.test.js'): Promise<void> =>
      save(name, `${await project.read(name)}\n`)
    await expectRun(() => touch('cat.test.md'), cat('passed'))
    await expectRun(() => press('r'), cat('passed'))
    await expectRun(() => press('r'), cat('passed'))
    await expectRun(() => touch('both.test.md'), both(saved))
    expect(await agentStarts()).toBe('')
    await expectRun(() => press('r'), both('passed'))
    expect(await agentStarts()).toBe('x')
    // After tests of the user Vitest runs all files: no agent of them was asked for.
    await expectRun(() => touch('plain.test.js'), { 'plain.test.js > plain': 'passed' })
    const none = expect.stringMatching(waitsFor('its spec is not one of those that ran last'))
    const all = { ...cat('passed'), ...both(none), 'plain.test.js > plain': 'passed' }
    await expectRun(() => press('r'), expect.objectContaining(all))
    expect(await agentStarts()).toBe('x')
    const wrong = watchedFiles['cat.test.md'].replace('\none', '\ntwo')
    await expectRun(() => save('cat.test.md', wrong), cat('failed'))
    await expectRun(() => press('f'), cat('failed'))
    await expectRun(() => press('u'), cat('passed'))
    expect(await project.read('cat.test.md')).toBe(watchedFiles['cat.test.md'])
    expect(await agentStarts()).toBe('x')
  })
})
