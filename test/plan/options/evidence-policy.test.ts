import { describe, expect, test } from 'vitest'
import type { Options } from '../../../src/plan/options/options.ts'
import { resolveOptions } from '../../../src/plan/options/resolve-options.ts'
import { resolveSpecSettings, type CommandLine } from '../../../src/plan/options/spec-settings.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

const policyOf = (options: Options, frontMatter = 'x-none: 1', commandLine: CommandLine = {}): unknown => {
  const { spec, problems } = parseSpec(`---\n${frontMatter}\n---\n\n# S\n\nTry it.\n`, {
    file: '/s.test.md',
    agentDefault: 'claude',
  })
  expect(problems).toEqual([])
  return resolveSpecSettings(spec, resolveOptions(options), commandLine).policy
}

describe('what a pass has to rest on', () => {
  test('is what the tool calls show, of any assurance, unless told otherwise', () => {
    expect(policyOf({})).toEqual({ evidence: 'auto', minAssurance: 'claimed' })
    expect(policyOf({ evidence: 'require', minAssurance: 'evidenced' })).toEqual({
      evidence: 'require',
      minAssurance: 'evidenced',
    })
  })

  test('is taken from the command line first, then from the front matter', () => {
    const options = { minAssurance: 'evidenced' } as const // of the option's values
    const all = policyOf(options, 'min-assurance: observed', { minAssurance: 'verified' })
    expect(all).toEqual({ evidence: 'auto', minAssurance: 'verified' })
    expect(policyOf(options, 'min-assurance: observed')).toEqual({ evidence: 'auto', minAssurance: 'observed' })
  })

  test.for([{ evidence: 'maybe' }, { minAssurance: 'sure' }])('is no other word: %j', (options) => {
    expect(() => resolveOptions(options as Options)).toThrow(/OPTION_INVALID|Expected `(evidence|minAssurance)`/) // wrong on purpose
  })
})
