import { describe, expect, test } from 'vitest'
import type { Options } from '../../../src/plan/options/options.ts'
import { resolveOptions } from '../../../src/plan/options/option-defaults.ts'
import {
  repeatsIn,
  resolveSpecSettings,
  type CommandLine,
  type SpecSettings,
} from '../../../src/plan/options/spec-settings.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

interface Given {
  readonly options?: Options
  /** Lines of the front matter. */
  readonly own?: string
  readonly commandLine?: CommandLine
}

function settingsOf({ options = {}, own = 'x-none: 1', commandLine = {} }: Given): SpecSettings {
  const { spec, problems } = parseSpec(`---\n${own}\n---\n\n# S\n\nTry it.\n\n\`\`\`sh run\n:\n\`\`\`\n`, {
    file: '/s.test.md',
    agentDefault: 'claude',
  })
  expect(problems).toEqual([])
  return resolveSpecSettings(spec, resolveOptions(options), commandLine)
}

/** A setting, and what it is by default, by option, by front matter and by command line, as far as each can say it. */
const settings: Readonly<Record<string, readonly [read: (all: SpecSettings) => unknown, unknown, Given, unknown][]>> = {
  'the hard limit': [
    [(all) => all.hardTimeoutMs, 600_000, { options: { hardTimeoutMs: 1 } }, 1],
    [(all) => all.hardTimeoutMs, 600_000, { options: { hardTimeoutMs: 1 }, own: 'timeout: 2s' }, 2000],
    [(all) => all.hardTimeoutMs, 600_000, { own: 'timeout: 2s', commandLine: { hardTimeoutMs: 3 } }, 3],
  ],
  'the limit of silence': [
    [(all) => all.silenceTimeoutMs, 180_000, { options: { silenceTimeoutMs: 1 }, own: 'silence-timeout: 2s' }, 2000],
    [(all) => all.silenceTimeoutMs, 180_000, { own: 'silence-timeout: 2s', commandLine: { silenceTimeoutMs: 3 } }, 3],
  ],
  'the network': [
    [(all) => all.network, false, { options: { network: true } }, true],
    [(all) => all.network, false, { options: { network: true }, own: 'network: false' }, false],
  ],
  'the executor': [
    [(all) => all.executor, 'auto', { options: { executor: 'mdtest' } }, 'mdtest'],
    [(all) => all.executor, 'auto', { options: { executor: 'mdtest' }, own: 'executor: agent' }, 'agent'],
    [(all) => all.executor, 'auto', { own: 'executor: mdtest', commandLine: { executor: 'agent' } }, 'agent'],
    [(all) => all.sandbox, 'auto', { options: { sandbox: 'off' } }, 'off'],
    [(all) => all.sandbox, 'auto', { own: 'sandbox: require', commandLine: { sandbox: 'off' } }, 'off'],
  ],

  'the assurance': [
    [(all) => all.policy, {}, { options: { minAssurance: 'evidenced' } }, { minAssurance: 'evidenced' }],
    [
      (all) => all.policy,
      {},
      { options: { minAssurance: 'evidenced' }, own: 'min-assurance: observed' },
      { minAssurance: 'observed' },
    ],
    [
      (all) => all.policy,
      {},
      { own: 'min-assurance: observed', commandLine: { minAssurance: 'verified' } },
      { minAssurance: 'verified' },
    ],
  ],
  'the budgets': [
    [(all) => all.maxCostUsd, undefined, { options: { maxCostUsd: 1 }, own: 'max-cost-usd: 2' }, 2],
    [(all) => all.maxTokens, undefined, { options: { maxTokens: 1 }, own: 'max-tokens: 7' }, 7],
  ],
  'the address': [
    [
      (all) => all.browser.baseUrl,
      undefined,
      { options: { baseUrl: 'http://a' }, own: 'base-url: http://b' },
      'http://b',
    ],
    [
      (all) => all.browser.baseUrl,
      undefined,
      { own: 'base-url: http://b', commandLine: { baseUrl: 'http://c' } },
      'http://c',
    ],
  ],
  'the window': [
    [(all) => all.browser.isHeaded, false, { options: { headed: true } }, true],
    [(all) => all.browser.isHeaded, false, { commandLine: { headed: true } }, true],
  ],
  repetitions: [
    [(all) => all.repeats, { runs: 1, required: 1 }, { options: { repeats: 3 } }, { runs: 3, required: 3 }],
    [
      (all) => all.repeats,
      { runs: 1, required: 1 },
      { options: { repeats: 3, require: 2 }, own: 'repeats: 5' },
      { runs: 5, required: 5 },
    ],
  ],
  'after a failure': [
    [(all) => all.afterFailure, 'stop', { own: 'agent: none' }, 'continue'],
    [(all) => all.afterFailure, 'stop', { options: { afterFailure: 'stop' }, own: 'agent: none' }, 'stop'],
    [
      (all) => all.afterFailure,
      'stop',
      { options: { afterFailure: 'stop' }, own: 'agent: none\nafter-failure: continue' },
      'continue',
    ],
  ],
  'everything allowed': [
    [(all) => all.dangerouslyAllowAllActions, false, { commandLine: { dangerouslyAllowAllActions: true } }, true],
  ],
  logs: [[(all) => all.logs, { keep: 10 }, { options: { logs: { keep: 2, dir: 'l' } } }, { keep: 2, dir: 'l' }]],
}

describe('settings of a spec', () => {
  const rows = Object.entries(settings).flatMap(([name, all]) => all.map((one) => [name, ...one] as const)) // tuples
  test.each(rows)('%s', (_name, read, byDefault, given, expected) => {
    expect(read(settingsOf({}))).toEqual(byDefault)
    expect(read(settingsOf(given))).toEqual(expected)
  })

  test('rules of what is allowed add up, each once', () => {
    const given = { options: { allow: ['A', 'B'] }, own: 'allow: [B, C]', commandLine: { allow: ['D', 'A'] } }
    expect(settingsOf(given).allow).toEqual(['A', 'B', 'C', 'D'])
  })

  test('servers add up; of the same name the one of the front matter counts', () => {
    const options = { mcpServers: { one: { command: 'a' }, two: { command: 'b' } } }
    const { mcpServers } = settingsOf({
      options,
      own: 'mcp-servers: { two: { command: c }, three: { url: "http://d" } }',
    })
    expect(mcpServers).toEqual({ one: { command: 'a' }, two: { command: 'c' }, three: { url: 'http://d' } })
  })

  test('the environment stands between command line and option, so both are kept', () => {
    const given = { options: { provider: 'azure', model: 'm' }, commandLine: { provider: 'google' } } as const // names
    expect(settingsOf(given).browser).toMatchObject({
      provider: 'google',
      defaultProvider: 'azure',
      model: undefined,
      defaultModel: 'm',
    })
  })

  test('no option of the run as a whole travels with a spec', () => {
    const run: Options = {
      include: ['a'],
      agent: { command: ['x', 'y'] },
      maxAgents: 2,
      reportDir: 'r',
      maxRunTokens: 9,
    }
    const all = settingsOf({ options: run, commandLine: { agent: 'codex' } })
    expect(Object.keys(all).filter((name) => Object.hasOwn(run, name))).toEqual([])
    expect(all.agentPrograms).toMatchObject({ command: ['x'], claude: ['claude'] })
  })

  test('a heading says more than the settings', () => {
    const inSettings = { repeats: { runs: 2, required: 2 } }
    expect(repeatsIn({}, inSettings)).toBe(inSettings.repeats)
    expect(repeatsIn({ repeats: { runs: 1, required: 1 } }, inSettings)).toEqual({ runs: 1, required: 1 })
  })
})

test.for([
  [{ minAssurance: 'sure' }, "Expected `minAssurance` to be 'claimed', 'observed'"],
  [{ executor: 'own' }, "Expected `executor` to be 'auto', 'mdtest' or 'agent', got `\"own\"`"],
  [{ sandbox: true }, "Expected `sandbox` to be 'auto', 'require' or 'off'"],
  [{ hands: 'mdtest' }, 'There is no option `hands` any more. Write `executor`'],
  [{ evidence: 'require' }, 'There is no option `evidence` any more. Write `minAssurance`'],
  [{ maxAgents: 0 }, 'Expected `maxAgents` to be a whole number from 1 to 1000, got `0` (number).'],
  [{ maxAgents: 1.5 }, '`maxAgents` to be a whole number'],
  [{ maxRunCostUsd: -1 }, '`maxRunCostUsd` to be an amount in US dollars above 0'],
  [{ maxTokens: 0.5 }, '`maxTokens` to be a whole number of tokens from 1'],
] as const)('%j is an error', ([options, words]) => {
  expect(() => resolveOptions(options as unknown as Options)).toThrow(words) // wrong on purpose
})

test('`hands` in a front matter is told what to write', () => {
  const { problems } = parseSpec('---\nhands: mdtest\n---\n\n# S\n', { file: '/s.test.md', agentDefault: 'claude' })
  expect(problems[0]).toMatchObject({ line: 2, message: expect.stringContaining('Write `executor`') })
})
