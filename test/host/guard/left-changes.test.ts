import { describe, expect, test } from 'vitest'
import {
  cachedSnapshot,
  LeftChanges,
  OwnWrites,
  watchSnapshot,
  type SourceWatch,
} from '../../../src/host/guard/source-watch.ts'
import type { SourceSnapshot } from '../../../src/host/guard/source-snapshots.ts'
import { useFolders, useRepositories, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()
const repository = useRepositories()

const files = { 'app.ts': 'a', 'b.ts': 'b', 'a.test.md': '# A', '.gitignore': 'node_modules' }

interface Run {
  readonly changes: LeftChanges
  watch(writes?: readonly string[], spec?: string): Promise<SourceWatch>
}

function beginRun({ path, at }: TestFolder): Run {
  const changes = new LeftChanges()
  const cache = new Map<string, Promise<SourceSnapshot>>()
  const watch: Run['watch'] = async (writes = [], spec = 'a.test.md') => {
    const place = { env: process.env, now: () => new Date() }
    const extraFiles = [at('a.test.md'), at('b.test.md')]
    return watchSnapshot(await cachedSnapshot({ root: path, extraFiles, ...place }, cache), {
      ...place,
      writes,
      ownWrites: new OwnWrites(),
      exempt: [at(spec)],
      left: {
        changes,
        scenario: { by: `${spec} > A`, writes, spec: [at(spec)] },
        specs: new Set(extraFiles),
      },
    })
  }
  return { changes, watch }
}

/** An agent changes files, is seen, and ends. Gives what is left of that, once something was done. */
async function leftAfter(folder: TestFolder, changed: Readonly<Record<string, string>>, act = async () => {}) {
  const { changes, watch } = beginRun(folder)
  const agent = await watch()
  await folder.write(changed)
  await agent.pause()
  agent.close()
  await act()
  const named = (spec: string): readonly string[] =>
    changes
      .list([folder.at(spec)])
      .map(({ file }) => file)
      .toSorted()
  return { ofSpec: named('a.test.md'), ofOther: named('b.test.md') }
}

describe('what an agent changed', () => {
  /** What is done to a file of the name, whether the change is still there. It was `a`, and the agent made it `x`. */
  const acts: Readonly<Record<string, readonly [(folder: TestFolder, name: string) => unknown, boolean]>> = {
    untouched: [() => undefined, true],
    'put back': [({ write }, name) => write({ [name]: 'a' }), false],
    'put back by git': [({ git }, name) => git('checkout', '--', name), false],
    'something else by now': [({ write }, name) => write({ [name]: 'c' }), false],
    'saved again': [({ write }, name) => write({ [name]: 'x' }), true],
    committed: [({ git }, name) => git('commit', '-qm', 'x', '--', name), true],
    removed: [({ git }, name) => git('rm', '-qf', name), false],
  }

  test('is left for later scenarios of the run, unless it was undone', async () => {
    const names = Object.keys(acts)
    const all = (text: string): Record<string, string> => Object.fromEntries(names.map((name) => [name, text]))
    const folder = repository({ ...files, ...all('a') })
    const { ofSpec } = await leftAfter(folder, all('x'), async () => {
      for (const [name, [act]] of Object.entries(acts)) await act(folder, name)
    })
    expect(ofSpec).toEqual(names.filter((name) => acts[name]?.[1]).toSorted())
  })

  test('and is a spec is left for itself alone, also without git', async () => {
    const changed = { 'a.test.md': '# B' }
    expect(await leftAfter(repository(files), changed)).toEqual({ ofSpec: ['a.test.md'], ofOther: [] })
    const folder = newFolder()
    await folder.write({ 'a.test.md': '# A' })
    expect(await leftAfter(folder, changed)).toEqual({ ofSpec: ['a.test.md'], ofOther: [] })
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

  test('what another scenario may write at the same time is nobody’s, and blocks nobody', async () => {
    const folder = repository(files)
    const run = beginRun(folder)
    const [one, two] = [await run.watch(), await run.watch(['b.ts'])]
    await folder.write({ 'b.ts': 'x' })
    await one.pause()
    await two.pause()
    expect([one.modified, two.modified]).toEqual([[{ file: 'b.ts' }], []])
    expect(run.changes.list([])).toEqual([])
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
    expect(run.changes.list([folder.at('a.test.md')]).map(({ by }) => by)).toContain('a.test.md > A')
  })

  test('what changes while no agent is at work is nobody’s', async () => {
    const folder = repository(files)
    const run = beginRun(folder)
    const one = await run.watch()
    await one.pause()
    await folder.write({ 'app.ts': 'x' })
    await one.resume()
    await one.pause()
    expect([one.modified, run.changes.list([])]).toEqual([[], []])
  })
})
