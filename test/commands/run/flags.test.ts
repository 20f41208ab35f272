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

test.each([
  [[], undefined],
  [['--hands', 'mdtest'], { mode: 'mdtest' }],
  [['--hands.sandbox', 'require'], { sandbox: 'require' }],
  [['--hands=agent', '--hands.sandbox=off', 'a.test.md'], { mode: 'agent', sandbox: 'off' }],
])('%j: hands are %j, and nothing that was not said', (args, expected) => {
  const { settings } = parseRunFlags(args)
  expect(settings.hands).toEqual(expected)
  expect(Object.keys(settings)).toEqual(expected === undefined ? [] : ['hands'])
})

test.each([
  [['--hands', 'own'], '`--hands` takes agent, mdtest, got `own`.'],
  [['--hands.sandbox', 'always'], '`--hands.sandbox` takes require, auto, off, got `always`.'],
  [['--hands.sanbox', 'off'], 'Did you mean `--hands.sandbox`?'],
])('%j is refused', (args, message) => {
  expect(() => parseRunFlags(args)).toThrow(message)
})
