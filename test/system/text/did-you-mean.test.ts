import { expect, test } from 'vitest'
import { didYouMean } from '../../../src/system/text/did-you-mean.ts'

const known = ['allow', 'agent', 'minAssurance', 'hardTimeoutMs', 'tags']

test.each([
  ['alow', ' Did you mean `allow`?'],
  ['Agent', ' Did you mean `agent`?'],
  ['tgas', ' Did you mean `tags`?'],
  ['tag', ' Did you mean `tags`?'],
  ['minassurance', ' Did you mean `minAssurance`?'],
  ['hardTimeout', ' Did you mean `hardTimeoutMs`?'],
  ['timeout', ' Did you mean `hardTimeoutMs`?'],
  ['weather', ''],
  ['', ''],
])('%j gives %j', (given, expected) => {
  expect(didYouMean(given, known)).toBe(expected)
})

test.each([
  ['test', ['list', 'run', 'record', 'report'], ''],
  ['lits', ['list', 'run'], ' Did you mean `list`?'],
  ['rn', ['list', 'run'], ' Did you mean `run`?'],
  ['x', ['y', 'run'], ''],
  ['--port', ['--root', '--report'], ''],
  ['--root', ['--hook', '--dir'], ''],
  ['claud', ['auto', 'claude', 'codex'], ' Did you mean `claude`?'],
  ['jset', ['vitest', 'jest'], ' Did you mean `jest`?'],
])('%j among %j gives %j', (given, among, expected) => {
  expect(didYouMean(given, among)).toBe(expected)
})

test('nothing is close to nothing', () => {
  expect(didYouMean('a', [])).toBe('')
})
