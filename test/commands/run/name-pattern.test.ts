import { expect, test } from 'vitest'
import { namePattern } from '../../../src/commands/run/run.ts'

test('a name is found whichever way its titles are joined', () => {
  for (const given of ['Sums > Add one', 'Sums Add one']) {
    const pattern = new RegExp(namePattern(given))
    expect('Sums > Add one').toMatch(pattern)
    expect('Sums Add one').toMatch(pattern)
    expect('Sums: Add one').not.toMatch(pattern)
  }
})

test('brackets and what is escaped in them stay as they are', () => {
  expect(namePattern(String.raw`a[ \] x] b`)).toBe(String.raw`a[ \] x](?: > | )b`)
})
