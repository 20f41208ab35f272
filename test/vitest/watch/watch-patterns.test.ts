import { expect, test } from 'vitest'
import { WatchPatterns } from '../../../src/vitest/watch/watch-patterns.ts'

test('names the specs that watch a file, by what they said last', () => {
  const patterns = new WatchPatterns()
  patterns.set('/a.test.md', ['src/**', './lib/'])
  patterns.set('/b.test.md', ['src/*.{ts,js}'])
  patterns.set('/c.test.md', [])
  expect(patterns.specsFor('src/a.ts')).toEqual(['/a.test.md', '/b.test.md'])
  expect(patterns.specsFor('src/deep/a.ts')).toEqual(['/a.test.md'])
  expect(patterns.specsFor('lib/deep/a.ts')).toEqual(['/a.test.md'])
  expect(patterns.specsFor('other/a.ts')).toEqual([])
  patterns.set('/a.test.md', [])
  expect(patterns.specsFor('src/a.ts')).toEqual(['/b.test.md'])
})
