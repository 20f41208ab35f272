import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutComments } from './read-imports.ts'
import { root, trackedFiles } from './tracked-files.ts'

const files = trackedFiles().filter((file) => /^src\/vitest\/.*\.ts$/.test(file))
const isPrivate = (file: string): boolean => file.startsWith('src/vitest/private-api/')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

test("what is not in Vitest's types is used in one folder", () => {
  const objects = 'vitest|project|context|specification|reporter|test|expect|Object'
  const insides = new RegExp(String.raw`Reflect\.\w+\((?:${objects})\b|getPrototypeOf|__vitest|\bexperimental_\w+`)
  const outside = files.filter((file) => !isPrivate(file) && insides.test(withoutComments(read(file))))
  expect(outside).toEqual([])
})

test('that folder says in which versions of each supported major Vitest was so', () => {
  const { peerDependencies } = JSON.parse(read('package.json')) as { peerDependencies: { vitest: string } } // ours
  const majors = [...peerDependencies.vitest.matchAll(/\^(\d+)/g)].map(([, major]) => major)
  expect(majors.length).toBeGreaterThan(0)
  const silent = files.filter(isPrivate).filter((file) => {
    const seen = [...read(file).matchAll(/[Cc]hecked with Vitest (\d+)\.\d+\.\d+ and (\d+)\.\d+\.\d+/g)].at(0)?.slice(1)
    return JSON.stringify(seen) !== JSON.stringify(majors)
  })
  expect(silent).toEqual([])
})
