import { describe, expect, test } from 'vitest'
import { leftOutReasons } from '../../../src/plan/options/requirements.ts'
import { resolveOptions } from '../../../src/plan/options/option-defaults.ts'
import { resolveSpecSettings, type CommandLine } from '../../../src/plan/options/spec-settings.ts'
import type { Options } from '../../../src/plan/options/options.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

interface Given {
  readonly env?: NodeJS.ProcessEnv
  readonly options?: Options
  readonly commandLine?: CommandLine
  readonly replay?: Parameters<typeof leftOutReasons>[1]['replay']
}

const bare = { PATH: '/usr/bin:/bin' }

function reasons(
  frontMatter: string,
  { env = bare, options = {}, commandLine = {}, replay }: Given = {},
): readonly string[] {
  const { spec, problems } = parseSpec(`---\n${frontMatter}\n---\n\n# A\n\nDo it.\n`, { file: '/suite/a.test.md' })
  expect(problems).toEqual([])
  const settings = resolveSpecSettings(spec, resolveOptions(options), commandLine)
  return leftOutReasons(spec, { settings, env, replay, root: '/suite' }).map(
    ({ code, message }) => `${code} ${message}`,
  )
}

describe('requires', () => {
  test.for<[entry: string, env: NodeJS.ProcessEnv, why: string | undefined]>([
    ['bin:sh', bare, undefined],
    ['bin:no-such-program', bare, 'not an executable file on PATH'],
    ['env:STRIPE_KEY', { ...bare, STRIPE_KEY: 'x' }, undefined],
    ['env:STRIPE_KEY', bare, 'not set, or empty'],
    ['env:STRIPE_KEY', { ...bare, STRIPE_KEY: '' }, 'not set, or empty'],
    ['agent:claude', bare, 'not an executable file on PATH'],
    ['agent:cursor', bare, 'not configured'],
    ['agent:toString', bare, 'not configured'],
    ['agent:command', bare, 'not configured'],
    ['agent:browser', bare, undefined],
    ['browser', bare, undefined],
    ['mcp:github', bare, 'not configured'],
    ['mcp:toString', bare, 'not configured'],
  ])('%s', ([entry, env, why]) => {
    const expected =
      why === undefined ? [] : [`REQUIRES_UNMET What the spec requires is not there: \`${entry}\` (${why}).`]
    expect(reasons(`requires: ["${entry}"]`, { env })).toEqual(expected)
  })

  test('no agent where none is asked, because all is replayed', () => {
    const told = (isComplete: boolean, mode: 'auto' | 'only'): number =>
      reasons('requires: ["agent:claude"]', { replay: { isComplete, mode } }).length
    expect([told(true, 'auto'), told(false, 'only'), told(false, 'auto')]).toEqual([0, 0, 1])
    expect(reasons('requires: ["bin:no-such"]', { replay: { isComplete: true, mode: 'only' } })).toHaveLength(1)
  })

  test('names all that is missing, once', () => {
    expect(reasons('requires: ["mcp:mail", "env:A", "mcp:mail"]')).toEqual([
      'REQUIRES_UNMET What the spec requires is not there: `mcp:mail` (not configured); `env:A` (not set, or empty).',
    ])
  })

  test('a variable that the front matter sets is there', () => {
    expect(reasons('requires: ["env:A"]\nenv: { A: x }')).toEqual([])
  })

  test('an MCP server is there by option or front matter', () => {
    const mcpServers = { mail: { command: 'node' } }
    expect(reasons('requires: ["mcp:mail"]', { options: { mcpServers } })).toEqual([])
    expect(reasons('requires: ["mcp:mail"]\nmcp-servers: { mail: { url: "http://127.0.0.1:1/mcp" } }')).toEqual([])
  })

  test('the program of the option `agent` is `agent:command`', () => {
    expect(reasons('requires: ["agent:command"]', { options: { agent: { command: ['sh'] } } })).toEqual([])
    expect(reasons('requires: ["agent:command"]', { options: { agent: { command: ['no-such'] } } })).toHaveLength(1)
  })
})

describe('side effects', () => {
  const isLeftOut = (given: Given): boolean =>
    reasons('side-effects: true', given)[0]?.startsWith('SIDE_EFFECTS ') ?? false

  test('are left out under CI alone', () => {
    expect(isLeftOut({})).toBe(false)
    expect(isLeftOut({ env: { ...bare, CI: 'true' } })).toBe(true)
    expect(isLeftOut({ env: { ...bare, CI: '1' } })).toBe(true)
    expect(isLeftOut({ env: { ...bare, CI: 'false' } })).toBe(false)
  })

  test('run where an option or the command line allows them', () => {
    const env = { ...bare, CI: 'true' }
    expect(isLeftOut({ env, options: { allowSideEffects: true } })).toBe(false)
    expect(isLeftOut({ env, commandLine: { allowSideEffects: true } })).toBe(false)
  })
})
