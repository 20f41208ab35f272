import { describe, expect, test } from 'vitest'
import {
  cachedSnapshot,
  OwnWrites,
  watchSnapshot,
  type SnapshotCache,
  type SourceWatch,
} from '../../../src/host/guard/source-watch.ts'
import type { SourceSnapshot } from '../../../src/host/guard/source-snapshots.ts'
import { useFolders, useRepositories, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()
const repository = useRepositories()

const files = { 'app.ts': 'a', 'b.ts': 'b', 'var/state': '0', 'a.test.md': '# A', 'old.logs/1.log.md': 'x' }

type Request = Parameters<typeof cachedSnapshot>[0] &
  Parameters<typeof watchSnapshot>[1] & { readonly cache: SnapshotCache }

async function watch({ path, at }: TestFolder, more: Partial<Request> = {}): Promise<SourceWatch> {
  const request: Request = {
    root: path,
    extraFiles: [],
    env: process.env,
    now: () => new Date(),
    cache: new Map<string, Promise<SourceSnapshot>>(),
    writes: ['var/**'],
    ownWrites: new OwnWrites(),
    exempt: [at('a.test.md')],
    ...more,
  }
  return watchSnapshot(await cachedSnapshot(request, request.cache), request)
}

describe('a watch over sources', () => {
  test('finds what changes while the agent works, with its step', async () => {
    const folder = repository(files)
    const sources = await watch(folder)
    await folder.write({ 'app.ts': 'x' })
    await sources.pause('1-a')
    await sources.resume()
    await folder.write({ 'b.ts': 'x' })
    await sources.pause('2-b')
    expect(sources.modified).toEqual([
      { file: 'app.ts', stepId: '1-a' },
      { file: 'b.ts', stepId: '2-b' },
    ])
  })

  test('finds nothing of what changes while the agent waits, not even when it ends meanwhile', async () => {
    const folder = repository(files)
    const sources = await watch(folder)
    await sources.pause('1-a')
    await folder.write({ 'app.ts': 'x' })
    await sources.pause('2-b')
    expect(sources.modified).toEqual([])
    await sources.resume()
    await sources.pause('2-b')
    expect(sources.modified).toEqual([])
  })

  test('still guards the same files when the repository is gone', async () => {
    const folder = repository(files)
    const sources = await watch(folder)
    await sources.pause()
    await folder.write({ '.git/HEAD': 'broken' })
    await sources.resume()
    await folder.write({ 'app.ts': 'x' })
    await sources.pause()
    expect(sources.modified).toEqual([{ file: 'app.ts' }])
  })

  test('leaves `writes`, the spec and logs alone', async () => {
    const folder = repository(files)
    const sources = await watch(folder)
    await folder.write({ 'var/state': '1', 'a.test.md': '# B', 'old.logs/1.log.md': 'y', 'new.ts': '' })
    await sources.pause()
    await sources.addWritten(['var/state', 'a.test.md', 'new.ts'].map((name) => ({ path: folder.at(name) })))
    expect(sources.modified).toEqual([])
  })

  test('holds a recording against the agent that writes or edits one, whatever `writes` says', async () => {
    const folder = repository(files)
    await folder.write({ 'old.recording.md': 'a' })
    const judges = ['new.recording.md', 'old.recording.md', 'gone.recording.md'].map((name) => folder.at(name))
    const sources = await watch(folder, { writes: ['**'], extraFiles: judges, judges: new Set(judges) })
    await folder.write({ 'new.recording.md': 'x', 'old.recording.md': 'y', 'app.ts': 'x', 'other.recording.md': 'x' })
    await sources.addWritten([{ path: folder.at('gone.recording.md') }])
    await sources.pause()
    expect(sources.modified.map(({ file }) => file)).toEqual([
      'gone.recording.md',
      'new.recording.md',
      'old.recording.md',
    ])
  })

  test('takes a file that the agent was seen to edit for changed, though it was put back', async () => {
    const folder = repository(files)
    const sources = await watch(folder)
    await sources.addWritten([{ path: folder.at('app.ts'), stepId: '1-a' }, { path: folder.at('b.ts') }])
    expect(sources.modified).toEqual([{ file: 'app.ts', stepId: '1-a' }, { file: 'b.ts' }])
  })

  test('without a repository guards the named files alone', async () => {
    const folder = newFolder()
    await folder.write({ 'vitest.config.ts': 'a', 'app.ts': 'a' })
    const sources = await watch(folder, { extraFiles: [folder.at('vitest.config.ts')] })
    await folder.write({ 'vitest.config.ts': 'b', 'app.ts': 'b' })
    await sources.pause()
    expect(sources.modified).toEqual([{ file: 'vitest.config.ts' }])
  })

  test('of scenarios that begin one after the other sees only what comes after each began', async () => {
    const folder = repository(files)
    const cache = new Map<string, Promise<SourceSnapshot>>()
    const [one, two] = await Promise.all([watch(folder, { cache }), watch(folder, { cache })])
    await folder.write({ 'app.ts': 'x' })
    const three = await watch(folder, { cache })
    await Promise.all([one, two, three].map((each) => each.pause()))
    expect([one, two, three].map(({ modified }) => modified.length)).toEqual([1, 1, 0])
  })
})
