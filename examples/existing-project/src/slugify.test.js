import { expect, test } from 'vitest'
import { slugify } from './slugify.js'

test('joins words with hyphens', () => {
  expect(slugify('Hello, World!')).toBe('hello-world')
})

test('keeps letters that carry accents', () => {
  expect(slugify('Crème brûlée')).toBe('creme-brulee')
})
