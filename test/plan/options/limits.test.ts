import { expect, test } from 'vitest'
import type { Options } from '../../../src/plan/options/options.ts'
import { resolveOptions } from '../../../src/plan/options/resolve-options.ts'
import { resolveSpecSettings } from '../../../src/plan/options/spec-settings.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

test('nothing is limited but the number of agents', () => {
  const { maxAgents, ...rest } = resolveOptions({})
  expect(maxAgents).toBe(4)
  expect(rest).not.toHaveProperty('maxCostUsd')
  expect(rest).not.toHaveProperty('maxRunTokens')
})

const wrong: readonly (readonly [Options, string])[] = [
  [{ maxAgents: 0 }, 'Expected `maxAgents` to be a whole number from 1 to 1000, got `0` (number).'],
  [{ maxAgents: 1.5 }, '`maxAgents` to be a whole number'],
  [{ maxCostUsd: 0 }, 'Expected `maxCostUsd` to be an amount in US dollars above 0, got `0` (number).'],
  [{ maxRunCostUsd: -1 }, '`maxRunCostUsd` to be an amount in US dollars above 0'],
  [{ maxTokens: 0.5 }, '`maxTokens` to be a whole number of tokens from 1'],
  [{ maxRunTokens: 0 }, '`maxRunTokens` to be a whole number of tokens from 1'],
]

test.each(wrong)('%j is an error', (options, message) => {
  expect(() => resolveOptions(options)).toThrow(message)
})

test('front matter goes before the options', () => {
  const settingsOf = (frontMatter: string): ReturnType<typeof resolveSpecSettings> => {
    const { spec } = parseSpec(`---\n${frontMatter}---\n\n# A\n\nDo it.\n`, { file: 'a.test.md' })
    return resolveSpecSettings(spec, resolveOptions({ maxCostUsd: 1, maxTokens: 100 }), {})
  }
  expect(settingsOf('')).toMatchObject({ maxCostUsd: 1, maxTokens: 100 })
  expect(settingsOf('max-cost-usd: 2.5\nmax-tokens: 7\n')).toMatchObject({ maxCostUsd: 2.5, maxTokens: 7 })
})
