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
  ['weather', ''],
  ['', ''],
])('%j gives %j', (given, expected) => {
  expect(didYouMean(given, known)).toBe(expected)
})

test('nothing is close to nothing', () => {
  expect(didYouMean('a', [])).toBe('')
})
