import type { AgentChoice } from '../../agents/resolve-agent.ts'
import { codingAgentNames } from '../../agents/registry.ts'
import type { FixSettings } from './session/session-state.ts'
import { runnerNames } from '../../test-runners/runner.ts'
import { parseDuration } from '../../spec/front-matter/parse-duration.ts'
import { parseFlags, withOptionalValue } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'

/** `mdtest fix`, as asked for on the command line. */
export interface FixFlags {
  readonly features: readonly string[]
  readonly resume?: string
  readonly root?: string
  readonly testsOnly: boolean
  readonly json: boolean
  readonly help: boolean
  /** Folder for the HTML report, relative to the project; empty: the one that is configured, or `mdtest-report`. */
  readonly report?: string
  /** How many features are worked on at once. */
  readonly maxAgents: number
  /** Only what was given. */
  readonly settings: Partial<Omit<FixSettings, 'root'>>
}

export const fixHelp = `Usage: mdtest fix --feature NAME [options]
       mdtest fix --resume ID [options]

Runs the tests, has an agent fix what fails, and runs them again, until they pass or it cannot go on.

Options:
  -f, --feature NAME       what the tests are of; repeatable: each in a work tree and branch of its own
      --scope PATH         file or folder: only tests that fail there are to be fixed
      --runner NAME        ${runnerNames.join(', ').replace('pytest, ', 'pytest,\n                           ')}
                           (default: the first that the project has)
  -a, --agent NAME         ${codingAgentNames.join(', ')}, or a command with {prompt} (default: auto)
      --docs PATH          what the agent reads first; repeatable
      --allow RULE         what the agent may do without asking, e.g. "Bash(npm *)"; repeatable
  -A, --dangerously-allow-all-actions
                           let the agent do anything without asking
      --max-attempts N     attempts at most (default: 10)
      --max-minutes N      minutes at most
      --max-cost-usd N     US dollars at most (Claude Code)
      --agent-timeout TIME limit of one call of an agent (default: 20m)
      --agent-silence-timeout TIME
                           limit without a sign of life of the agent (default: 5m)
      --test-timeout TIME  limit of one run of the tests (default: 10m)
      --test-silence-timeout TIME
                           limit of the tests without output (default: 3m)
      --allow-test-edits   let the agent change tests, too
      --may-change GLOB    let the agent change these files, too: by default only sources of the product and new files
                           beside them count, and other changes are left out; repeatable
      --allow-script       where no runner is known, run a script that an agent wrote
      --container IMAGE    run the tests in a container of Docker
      --pass-env NAME      a variable with a secret that the tests need; repeatable
      --max-agents N       features at once (default: 4)
      --resume ID          go on with a session; other options change its settings
      --tests-only         with --resume: only run its tests once
      --root DIR           the project (default: the git root of the current directory, else that)
      --report[=DIR]       write what was done into the HTML report in DIR (default: \`reportDir\` of mdtest.config.json,
                           mdtest-report)
      --json               print the report as JSON, and nothing else
  -h, --help               show this text

Exit codes: 0 all tests pass, 1 a limit was reached, 2 no progress, 3 wrong use, set-up or system error, 130/143 interrupted.
`

const options = {
  feature: { type: 'string', short: 'f', multiple: true },
  scope: { type: 'string' },
  runner: { type: 'string' },
  agent: { type: 'string', short: 'a' },
  docs: { type: 'string', multiple: true },
  allow: { type: 'string', multiple: true },
  'dangerously-allow-all-actions': { type: 'boolean', short: 'A' },
  'max-attempts': { type: 'string' },
  'max-minutes': { type: 'string' },
  'max-cost-usd': { type: 'string' },
  'agent-timeout': { type: 'string' },
  'agent-silence-timeout': { type: 'string' },
  'test-timeout': { type: 'string' },
  'test-silence-timeout': { type: 'string' },
  'allow-test-edits': { type: 'boolean' },
  'may-change': { type: 'string', multiple: true },
  'allow-script': { type: 'boolean' },
  container: { type: 'string' },
  'pass-env': { type: 'string', multiple: true },
  'max-agents': { type: 'string' },
  resume: { type: 'string' },
  'tests-only': { type: 'boolean' },
  root: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

/**
 * Reads the arguments after `mdtest fix`.
 * @throws {SetUpError} for an unknown flag or a bad value.
 */
export function parseFixFlags(args: readonly string[]): FixFlags {
  const { values, positionals } = parseFlags(withOptionalValue(args, '--report'), { command: 'fix', options })
  const { feature: features = [], help = false, resume } = values
  if (positionals.length > 0) throw new SetUpError(`Unexpected \`${positionals[0]}\`; see \`mdtest fix --help\`.`)
  if (!help && (features.length === 0) === (resume === undefined)) {
    throw new SetUpError('What is to be fixed? Give either `--feature NAME` or `--resume ID`.')
  }
  if (values['tests-only'] && resume === undefined) throw new SetUpError('`--tests-only` goes with `--resume ID`.')
  if (features.some((name) => name.trim() === '')) throw new SetUpError('`--feature` takes a name, got an empty one.')
  if (new Set(features).size < features.length) throw new SetUpError('`--feature` was given twice with the same name.')
  return {
    features,
    help,
    json: values.json ?? false,
    testsOnly: values['tests-only'] ?? false,
    maxAgents: wholeNumber('--max-agents', values['max-agents']) ?? 4,
    settings: readSettings(values),
    ...(resume !== undefined && { resume: checkId(resume) }),
    ...(values.root !== undefined && { root: values.root }),
    ...(values.report !== undefined && { report: values.report }),
  }
}

type Values = ReturnType<typeof parseFlags<typeof options>>['values']

function readSettings(values: Values): FixFlags['settings'] {
  return withoutUndefined({
    scope: values.scope,
    runner: runnerOf(values.runner),
    agent: agentOf(values.agent),
    docs: values.docs,
    allow: values.allow,
    allow_all_actions: values['dangerously-allow-all-actions'],
    max_attempts: wholeNumber('--max-attempts', values['max-attempts']),
    max_minutes: positive('--max-minutes', values['max-minutes']),
    max_cost_usd: positive('--max-cost-usd', values['max-cost-usd']),
    agent_timeout_ms: milliseconds('--agent-timeout', values['agent-timeout']),
    agent_silence_timeout_ms: milliseconds('--agent-silence-timeout', values['agent-silence-timeout']),
    test_timeout_ms: milliseconds('--test-timeout', values['test-timeout']),
    test_silence_timeout_ms: milliseconds('--test-silence-timeout', values['test-silence-timeout']),
    allow_test_edits: values['allow-test-edits'],
    may_change: values['may-change'],
    allow_script: values['allow-script'],
    container: values.container,
    pass_env: values['pass-env'],
  })
}

function withoutUndefined<T extends object>(given: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [Name in keyof T]?: Exclude<T[Name], undefined> } // by the filter
}

/** A word that leads nowhere else as the name of a folder. */
function checkId(id: string): string {
  if (/^[a-z0-9][a-z0-9T-]*$/.test(id)) return id
  throw new SetUpError(`\`--resume\` takes the id of a session, got \`${id}\`; \`mdtest sessions\` lists them.`)
}

function runnerOf(name: string | undefined): FixSettings['runner'] | undefined {
  const runner = runnerNames.find((each) => each === name)
  if (runner !== name) throw new SetUpError(`Unknown runner \`${name}\`; \`--runner\` takes ${runnerNames.join(', ')}.`)
  return runner
}

function agentOf(text: string | undefined): AgentChoiceSetting | undefined {
  if (text === undefined) return undefined
  const name = codingAgentNames.find((each) => each === text)
  if (name !== undefined) return name
  const [program, ...rest] = words(text)
  if (program === undefined || !text.includes('{prompt}')) {
    throw new SetUpError(
      `Unknown agent \`${text}\`; \`--agent\` takes ${codingAgentNames.join(', ')}, or a command with {prompt}.`,
    )
  }
  return { command: [program, ...rest] }
}

type AgentChoiceSetting = FixSettings['agent'] & AgentChoice

/** As a shell splits them, without its other powers. */
function words(text: string): readonly string[] {
  return [...text.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  )
}

function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (number >= 1) return number
  throw new SetUpError(`\`${flag}\` takes a whole number from 1, got \`${text}\`.`)
}

function positive(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0
  if (number > 0) return number
  throw new SetUpError(`\`${flag}\` takes a number above 0, got \`${text}\`.`)
}

function milliseconds(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const duration = parseDuration(text)
  if (duration !== undefined) return duration
  throw new SetUpError(`\`${flag}\` takes a time such as 10m or 90s, got \`${text}\`.`)
}
