import { expect, test } from 'vitest'
import { parseRunFlags } from '../../../src/commands/run/flags.ts'

test.each([
  [['--reproduce'], true],
  [['--reproduce=warn'], 'warn'],
  [['--reproduce=false'], false],
  [['--reproduce=true', 'a.test.md'], true],
  [[], undefined],
])('%j: what agents did is repeated: %s', (args, expected) => {
  expect(parseRunFlags(args).settings.reproduce).toBe(expected)
})

test('`--reproduce` takes no other word', () => {
  expect(() => parseRunFlags(['--reproduce=maybe'])).toThrow('`--reproduce` takes nothing, warn or false, got `maybe`.')
})
