import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { recordByHand, transcript } from '../support/hand-recording.ts'
import { hasTerminal, startWatch, watchFiles } from '../support/watch-session.ts'
import { config, fence, spec, waitsFor, watchedFiles } from '../support/watch-specs.ts'

/** A run in which the agent was started, or waits. */
const prose = (state: unknown) => expect.objectContaining({ 'both.test.md > Prose': state })

describe.runIf(hasTerminal())('a watch', () => {
  test('takes a filter for a demand, and a saved configuration for none', async () => {
    await using project = await createProject(watchedFiles)
    await using watch = await startWatch(project, prose('passed'), ['both'])
    const { expectRun, save } = watch
    const waits = expect.stringMatching(waitsFor('the watch begins'))
    await expectRun(() => save('vitest.config.js', `${config()}\n`), prose(waits))
    await expectRun(() => save('vitest.config.js', config(', watchAgents: true')), prose('passed'))
    await expectRun(() => save('both.test.md', `${watchedFiles['both.test.md']}\n`), prose('passed'))
  })

  test('comes to rest where specs start one another', async () => {
    const circle = (own: string, other: string): string =>
      spec(own, fence('sh', `date +%s%N > made/${own}`), `watch: [made/${other}]\n`)
    await using project = await createProject({
      ...watchFiles,
      'vitest.config.js': plainConfig,
      'made/.gitkeep': '',
      'ping.test.md': circle('ping', 'pong'),
      'pong.test.md': circle('pong', 'ping'),
      'last.test.md': spec('last', fence('sh', 'true')),
    })
    const passed = { 'ping.test.md > ping': 'passed', 'pong.test.md > pong': 'passed', 'last.test.md > last': 'passed' }
    await using watch = await startWatch(project, passed)
    await watch.expectRun(
      () => watch.save('made/pong', ''),
      expect.objectContaining({ 'ping.test.md > ping': 'passed' }),
    )
    await watch.expectRun(
      () => watch.save('last.test.md', spec('last', fence('sh', 'false'))),
      expect.objectContaining({ 'last.test.md > last': 'failed' }),
    )
    expect((await watch.runs()).length).toBeLessThan(16)
  })

  test('that updates runs nothing again for what it wrote', async () => {
    const updating = (title: string, command: string): string =>
      spec(title, fence('console', `$ ${command}`, 'old'), "watch: ['*.test.md']\n")
    const texts = { 'same.test.md': updating('Same', 'echo new'), 'other.test.md': updating('Other', 'date +%s%N') }
    await using project = await createProject({ ...watchFiles, 'vitest.config.js': plainConfig, ...texts })
    const lineOf = async (name: string): Promise<string | undefined> => (await project.read(name)).split('\n')[9]
    const passed = { 'same.test.md > Same': 'passed', 'other.test.md > Other': 'passed' }
    await using watch = await startWatch(project, passed, ['-u'])
    expect(await lineOf('same.test.md')).toBe('new')
    const before = await lineOf('other.test.md')
    expect(before).toMatch(/^\d+$/)
    await watch.expectRun(() => watch.press('a'), passed)
    await watch.expectShown('it was rewritten a moment ago')
    expect(await lineOf('other.test.md')).toBe(before)
    expect(await watch.runs()).toHaveLength(2)
    await watch.expectRun(() => watch.save('same.test.md', updating('Same', 'echo newer')), passed)
    await expect.poll(() => lineOf('same.test.md'), { timeout: 60_000 }).toBe('newer')
  })

  test('replays when spec, recording or product is saved, and when a recording comes or goes', async () => {
    const text = '---\nwatch: [app.txt]\n---\n\n# Plain\n\n## One\n\nDo one.\n\n## Two\n\nDo two.\n'
    const said = transcript('$ cat app.txt', '...', 'app', '...')
    const recording = recordByHand(text, { bodies: { One: said, Two: said } })
    const ran = (one: string, two: string) => ({
      'plain.test.md > Plain > One': expect.stringMatching(`^${one}`),
      'plain.test.md > Plain > Two': expect.stringMatching(`^${two}`),
    })
    const [passed, failed] = [ran('passed', 'passed'), ran('failed', 'skipped')]
    await using project = await createProject({
      ...watchFiles,
      'vitest.config.js': plainConfig.replace('mdtest()', "mdtest({ agent: 'claude', replay: 'only' })"),
      'app.txt': 'app\n',
      'plain.test.md': text,
      'plain.recording.md': recording,
    })
    await using watch = await startWatch(project, passed)
    const save = (name: string, content: string, tests: object) =>
      watch.expectRun(() => watch.save(name, content), tests)
    await save('plain.recording.md', recording.replace('...\napp\n...', 'bread'), failed)
    await save('plain.recording.md', recording, passed)
    await save('app.txt', 'broken\n', failed)
    await save('app.txt', 'app\n', passed)
    await save('plain.test.md', text.replace('Do two.', 'Do 2.'), ran('passed', 'failed'))
    await save('plain.test.md', text, passed)
    await watch.expectRun(() => project.remove('plain.recording.md'), failed)
    await save('plain.recording.md', recording, passed)
  })

  test('runs a feature again that was changed', async () => {
    const feature = 'Feature: Cart\n\n  Scenario: Add a mug\n    When the visitor adds a mug\n'
    const options = "mdtest({ agent: 'claude', dialects: { gherkin: ['features/**/*.feature'] } })"
    await using project = await createProject({
      ...watchFiles,
      'vitest.config.js': plainConfig.replace('mdtest()', options),
      'features/cart.feature': feature,
    })
    const waits = (title: string) => ({ [`features/cart.feature > ${title}`]: expect.stringMatching(waitsFor('')) })
    await using watch = await startWatch(project, waits('Add a mug'))
    await watch.expectRun(() => watch.save('features/cart.feature', feature.replace('a mug', 'tea')), waits('Add tea'))
  })
})
