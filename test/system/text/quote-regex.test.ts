import { expect, it } from 'vitest'
import { quoteRegex } from '../../../src/system/text/quoting.ts'

it.each(['', 'v', 'u', 'su'])('matches exactly the text, with the flags "%s"', (flags) => {
  const text = String.raw`\^$.*+?()[]{}|/-`
  expect(new RegExp(`^${quoteRegex(text)}$`, flags).test(text)).toBe(true)
  expect(new RegExp(`^${quoteRegex(text)}$`, flags).test(`${text} `)).toBe(false)
})
