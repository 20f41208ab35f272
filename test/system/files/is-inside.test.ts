import { expect, test } from 'vitest'
import { isInside } from '../../../src/system/files/paths.ts'

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/a/', '/a', true],
  ['/a/..b/c', '/a', true],
  ['/a/~b', '/a', true],
  ['/a/C:b', '/a', true],
  ['/a', '/', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a/../b', '/a', false],
])('%s in %s: %s', (path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected)
})
