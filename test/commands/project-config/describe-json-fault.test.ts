import { expect, test } from 'vitest'
import { describeJsonFault } from '../../../src/commands/project-config/read-gate-config.ts'

test.each([
  ['{\n  "a": ", }",\n}', '2:13: JSON allows no comma after the last entry: remove it'],
  ['{ "a": "http://x" // ours\n}', '1:19: JSON has no comments: remove this one'],
  ["{ 'a': 1 }", '1:3: JSON takes double quotes alone: write `"`'],
  ['{\n  "a": "x"\n  "b": 1\n}', '3:3: a comma is missing before this'],
])('%j', (text, words) => {
  let caught: unknown
  try {
    JSON.parse(text)
  } catch (error: unknown) {
    caught = error
  }
  expect(describeJsonFault(text, caught)).toBe(words)
})

test('anything else is told as the parser does', () => {
  expect(describeJsonFault('', new SyntaxError('Unexpected end of JSON input'))).toBe('Unexpected end of JSON input')
})
