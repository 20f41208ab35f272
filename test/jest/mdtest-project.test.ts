import { expect, test } from 'vitest'
import { mdtest } from '../../src/jest/mdtest-project.ts'

test.each([
  [['**/*.test.md'], 'a.test.md', 'a.md a.feature a.feature.js'],
  [['docs/*.md'], 'a.md a.MD', 'a.feature a.mdx'],
  [['features/*.feature'], 'a.feature', 'a.md a.test.md xfeature'],
  [['**/*.test.md', 'features/*.feature'], 'a.test.md a.feature', 'a.md a.js'],
])('Jest executor files of %j to the transform, and no others', (include, taken, left) => {
  const [pattern = ''] = Object.keys(mdtest({ include }).transform)
  expect(taken.split(' ').filter((name) => !new RegExp(pattern).test(name))).toEqual([])
  expect(left.split(' ').filter((name) => new RegExp(pattern).test(name))).toEqual([])
})
