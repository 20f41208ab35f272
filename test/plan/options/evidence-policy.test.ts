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
  test('is decided by what is known of the agent, unless told otherwise', () => {
    expect(policyOf({})).toEqual({})
    expect(policyOf({ minAssurance: 'evidenced' })).toEqual({ minAssurance: 'evidenced' })
  })

  test('is taken from the command line first, then from the front matter', () => {
    const options = { minAssurance: 'evidenced' } as const // of the option's values
    const all = policyOf(options, 'min-assurance: observed', { minAssurance: 'verified' })
    expect(all).toEqual({ minAssurance: 'verified' })
    expect(policyOf(options, 'min-assurance: observed')).toEqual({ minAssurance: 'observed' })
  })

  test.for([
    [{ minAssurance: 'sure' }, "Expected `minAssurance` to be 'claimed', 'observed'"],
    [{ executor: 'own' }, "Expected `executor` to be 'auto', 'mdtest' or 'agent', got `\"own\"`"],
    [{ sandbox: true }, "Expected `sandbox` to be 'auto', 'require' or 'off'"],
    [{ hands: 'mdtest' }, 'There is no option `hands` any more. Write `executor`'],
    [{ evidence: 'require' }, 'There is no option `evidence` any more. Write `minAssurance`'],
  ] as const)('is no other word: %j', ([options, words]) => {
    expect(() => resolveOptions(options as unknown as Options)).toThrow(words) // wrong on purpose
  })
})

test('`hands` in a front matter is told what to write', () => {
  const { problems } = parseSpec('---\nhands: mdtest\n---\n\n# S\n', { file: '/s.test.md', agentDefault: 'claude' })
  expect(problems[0]).toMatchObject({ line: 2, message: expect.stringContaining('Write `executor`') })
})
