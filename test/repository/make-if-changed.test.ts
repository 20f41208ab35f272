import { expect, test } from 'vitest'
import { makeIfChanged } from '../../scripts/lib/make-if-changed.ts'
import { createProjectFiles, type ProjectFiles } from '../support/project-files.ts'
import { renameSync, rmSync } from 'node:fs'

/** A making that copies what it finds. */
function createMaking() {
  const project = createProjectFiles('mdtest-make-', { 'src/a.ts': 'a', 'src/deep/b.ts': 'b', 'lock.json': '1' })
  const making = {
    inputs: [project.path('src'), project.path('lock.json'), project.path('absent')],
    outputs: [project.path('out')],
    note: project.path('cache/note.json'),
  }
  const make = async () => {
    rmSync(project.path('out'), { recursive: true, force: true })
    for (const name of ['a', 'b']) project.write(`out/${name}.js`, name)
  }
  return { project, run: (by = make) => makeIfChanged(making, by), [Symbol.dispose]: () => project[Symbol.dispose]() }
}

test('what was made is not made again', async () => {
  using making = createMaking()
  expect(await making.run()).toBe(true)
  expect(await making.run()).toBe(false)
})

test.each<[what: string, change: (project: ProjectFiles) => void]>([
  ['an input has changed', ({ write }) => write('src/deep/b.ts', 'c')],
  ['an input has come', ({ write }) => write('src/c.ts', '')],
  ['an input has gone', ({ path }) => rmSync(path('src/a.ts'))],
  ['an input has another name', ({ path }) => renameSync(path('src/a.ts'), path('src/z.ts'))],
  ['a text has moved to the next file', ({ write }) => (write('src/a.ts', ''), write('src/deep/b.ts', 'ab'))],
  ['a single file has changed', ({ write }) => write('lock.json', '2')],
  ['an input that was not there has come', ({ write }) => write('absent', '')],
  ['an output was edited', ({ write }) => write('out/a.js', 'other')],
  ['an output is missing', ({ path }) => rmSync(path('out/a.js'))],
  ['all outputs are missing', ({ path }) => rmSync(path('out'), { recursive: true })],
  ['there is an output more', ({ write }) => write('out/old.js', '')],
  ['the note is missing', ({ path }) => rmSync(path('cache'), { recursive: true })],
  ['the note is broken', ({ write }) => write('cache/note.json', '{')],
])('it is made anew where %s', async (_, change) => {
  using making = createMaking()
  await making.run()
  change(making.project)
  expect(await making.run()).toBe(true)
  expect(await making.run()).toBe(false)
})

test('a making that breaks, or whose inputs change meanwhile, counts for nothing', async () => {
  using making = createMaking()
  await making.run()
  making.project.write('src/a.ts', 'broken')
  await expect(making.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  making.project.write('src/a.ts', 'a')
  expect(await making.run()).toBe(true)

  making.project.write('src/a.ts', '1')
  await making.run(async () => making.project.write('src/a.ts', '2'))
  expect(await making.run()).toBe(true)
})
