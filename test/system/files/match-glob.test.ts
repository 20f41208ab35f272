import { expect, test } from 'vitest'
import { matchGlob } from '../../../src/system/files/match-glob.ts'

test.for([
  ['var/**', 'var/a', true],
  ['var/**', 'var/deep/.hidden', true],
  ['var/**', 'var', false],
  ['var/**', 'variable/a', false],
  ['var/', 'var/deep/a', true],
  ['./var/*', 'var/a', true],
  ['var/*', 'var/deep/a', false],
  ['**', 'a/b/c', true],
  ['**/*.snap', 'a.snap', true],
  ['**/*.snap', 'a/b/c.snap', true],
  ['**/*.snap', 'a/b/c.snapshot', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'a/xb', false],
  ['*.json', 'deep/a.json', false],
  ['a**b', 'a/b', false],
  ['?.ts', 'ä.ts', true],
  ['?.ts', '😀.ts', true],
  ['?.ts', '/.ts', false],
  ['{var,tmp}/**', 'tmp/a', true],
  ['*.{json,log}', 'a.log', true],
  ['{a,{b,c}}', 'c', true],
  ['{a}', '{a}', true],
  ['[ab].ts', 'a.ts', false],
  ['[ab].ts', '[ab].ts', true],
  ['a+(b).^$|', 'a+(b).^$|', true],
  ['a.b', 'axb', false],
  ['!src/**', 'lib/a', false],
  ['', 'a', false],
  ['*', 'line\nbreak', true],
] as const)('%s on %s is %s', ([pattern, path, expected]) => {
  expect(matchGlob(path, pattern)).toBe(expected)
})

test('a pattern with very many braces comes to an end', () => {
  expect(matchGlob('a', '{a,b}'.repeat(60))).toBe(false)
})
