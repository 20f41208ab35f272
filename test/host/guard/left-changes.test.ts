import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LeftChanges } from '../../../src/host/guard/left-changes.ts'
import { OwnWrites } from '../../../src/host/guard/own-writes.ts'
import type { SourceSnapshot } from '../../../src/host/guard/source-guard.ts'
import { watchSources, type SourceWatch } from '../../../src/host/guard/source-watch.ts'
import { useFolders, useRepositories, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()
const repository = useRepositories()

const files = { 'app.ts': 'a', 'b.ts': 'b', 'a.test.md': '# A', '.gitignore': 'node_modules' }

/** What the next run finds. */
async function nextRun({ path }: TestFolder): Promise<readonly string[]> {
  return (await new LeftChanges(path, process.env).list([join(path, 'a.test.md')])).map(({ file }) => file)
}

interface Run {
  readonly changes: LeftChanges
  watch(writes?: readonly string[], spec?: string): Promise<SourceWatch>
}

function beginRun({ path, at }: TestFolder): Run {
  const changes = new LeftChanges(path, process.env)
  const cache = new Map<string, Promise<SourceSnapshot>>()
  const watch: Run['watch'] = (writes = [], spec = 'a.test.md') =>
    watchSources({
      root: path,
      extraFiles: [at('a.test.md'), at('b.test.md')],
      env: process.env,
      now: () => new Date(),
      cache,
      writes,
      ownWrites: new OwnWrites(),
      exempt: [at(spec)],
      left: {
        changes,
        scenario: { by: `${spec} > A`, writes, spec: [at(spec)] },
        specs: new Set([at('a.test.md'), at('b.test.md')]),
      },
    })
  return { changes, watch }
}

/** An agent changes a file, is seen, and ends. */
async function agentChanges(folder: TestFolder, files: Readonly<Record<string, string>>): Promise<void> {
  const watch = await beginRun(folder).watch()
  await folder.write(files)
  await watch.pause()
  watch.close()
}

describe('what an agent changed', () => {
  /** What is done to a file of the name, whether that leaves it for the next run. It was `a`, and the agent made it `x`. */
  const acts: Readonly<Record<string, readonly [(folder: TestFolder, name: string) => unknown, boolean]>> = {
    untouched: [() => undefined, true],
    'put back': [({ write }, name) => write({ [name]: 'a' }), false],
    'put back by git': [({ git }, name) => git('checkout', '--', name), false],
    'something else by now': [({ write }, name) => write({ [name]: 'c' }), false],
    'saved again': [({ write }, name) => write({ [name]: 'x' }), false],
    'committed without others': [({ git }, name) => git('commit', '-qm', 'x', '--', name), false],
    staged: [({ git }, name) => git('add', '--', name), true],
    removed: [({ git }, name) => git('rm', '-qf', name), false],
  }

  test('is left for the next run, unless somebody took it up', async () => {
    const names = Object.keys(acts)
    const all = (text: string): Record<string, string> => Object.fromEntries(names.map((name) => [name, text]))
    const folder = repository({ ...files, ...all('a') })
    await agentChanges(folder, all('x'))
    for (const [name, [act]] of Object.entries(acts)) await act(folder, name)
    const left = names.filter((name) => acts[name]?.[1])
    expect((await nextRun(folder)).toSorted()).toEqual(left.toSorted())
    expect((await nextRun(folder)).toSorted()).toEqual(left.toSorted())
    const kept = folder.at('node_modules/.cache/vitest-mdtest')
    expect(await readdir(kept)).toHaveLength(1)
    await folder.write(Object.fromEntries(left.map((name) => [name, 'a'])))
    expect([await nextRun(folder), await readdir(kept)]).toEqual([[], []])
  })

  test('and touched or committed itself is left, as is a new configuration file and a changed spec', async () => {
    const folder = repository(files)
    const watch = await beginRun(folder).watch()
    await folder.write({ 'app.ts': 'x', 'vitest.config.ts': 'x', 'a.test.md': '# B' })
    await watch.pause()
    await watch.resume()
    await utimes(folder.at('app.ts'), 1, 1)
    folder.git('add', '-A')
    folder.git('commit', '-qm', 'x')
    await watch.pause()
    expect((await nextRun(folder)).toSorted()).toEqual(['a.test.md', 'app.ts', 'vitest.config.ts'])
  })

  test('is left without git, and with a link to the packages of another root', async () => {
    const folder = newFolder()
    await folder.write({ 'vitest.config.ts': '1', 'a.test.md': '# A' })
    await agentChanges(folder, { 'a.test.md': '# B' })
    expect(await nextRun(folder)).toEqual(['a.test.md'])
    expect(await nextRun(newFolder())).toEqual([])
  })

  test('and is a spec is left for itself alone', async () => {
    const folder = repository(files)
    await agentChanges(folder, { 'a.test.md': '# B' })
    expect(await new LeftChanges(folder.path, process.env).list([folder.at('b.test.md')])).toEqual([])
    expect(await nextRun(folder)).toEqual(['a.test.md'])
  })
})

describe('in the same run', () => {
  test('another agent that began on it hears of it, and one that may write there does not', async () => {
    const folder = repository(files)
    const run = beginRun(folder)
    const one = await run.watch()
    await folder.write({ 'app.ts': 'x' })
    const two = await run.watch()
    await one.pause('1-a')
    await two.pause('1-b')
    await two.resume()
    await two.pause('2-b')
    expect([one, two].map(({ modified }) => modified)).toEqual([
      [{ file: 'app.ts', stepId: '1-a' }],
      [{ file: 'app.ts', stepId: '1-b' }],
    ])
    const three = await run.watch(['app.ts'])
    await three.pause()
    expect(three.modified).toEqual([])
  })

  test('saving it again accepts nothing, a new run does', async () => {
    const folder = repository(files)
    const run = beginRun(folder)
    const one = await run.watch()
    await folder.write({ 'app.ts': 'x' })
    await one.pause()
    await folder.write({ 'app.ts': 'x' })
    expect(await run.changes.list([])).toHaveLength(1)
    run.changes.beginRun()
    expect(await run.changes.list([])).toHaveLength(0)
  })

  test('what another scenario may write at the same time is nobody’s, and blocks nobody', async () => {
    const folder = repository(files)
    const run = beginRun(folder)
    const [one, two] = [await run.watch(), await run.watch(['b.ts'])]
    await folder.write({ 'b.ts': 'x' })
    await one.pause()
    await two.pause()
    expect([one.modified, two.modified]).toEqual([[{ file: 'b.ts' }], []])
    expect(await run.changes.list([])).toEqual([])
  })

  test('a spec that another agent changed counts against that one alone where it is its own', async () => {
    const folder = repository(files)
    const run = beginRun(folder)
    const [own, other] = [await run.watch(), await run.watch([], 'b.test.md')]
    await folder.write({ 'a.test.md': '# B' })
    await other.pause()
    await own.pause()
    own.close()
    await other.resume()
    const late = await run.watch([], 'b.test.md')
    await folder.write({ 'b.ts': 'x' })
    await late.pause()
    expect([own.modified, other.modified, late.modified]).toEqual([[], [], [{ file: 'b.ts' }]])
    expect((await run.changes.list([folder.at('a.test.md')])).map(({ by }) => by)).toContain('a.test.md > A')
  })

  test('what changes while no agent is at work is nobody’s', async () => {
    const folder = repository(files)
    const run = beginRun(folder)
    const one = await run.watch()
    await one.pause()
    await folder.write({ 'app.ts': 'x' })
    await one.resume()
    await one.pause()
    expect([one.modified, await run.changes.list([])]).toEqual([[], []])
  })
})
