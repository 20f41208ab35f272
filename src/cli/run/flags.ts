import { parseDuration } from '../../spec/parse-duration.ts'
import { assurances, type Assurance } from '../../shared/assurance.ts'
import { parseFlags } from '../parse-flags.ts'
import { SetUpError } from '../set-up-error.ts'

/** `mdtest run`, as asked for on the command line. */
export interface RunFlags {
  readonly paths: readonly string[]
  readonly agent?: AgentName
  readonly dir?: string
  readonly allow: readonly string[]
  readonly dangerouslyAllowAllActions?: true
  readonly allowSideEffects?: true
  readonly hardTimeoutMs?: number
  readonly silenceTimeoutMs?: number
  readonly minAssurance?: Assurance
  readonly testNamePattern?: string
  /** Expressions that the tags of a step have to meet, all of them. */
  readonly tagsFilter: readonly string[]
  readonly reporters: readonly string[]
  /** Where reporters that write a file write it. */
  readonly outputFile?: string
  readonly passWithNoTests: boolean
  /** How many specs run at once, from 1. */
  readonly concurrency: number
  /** Whether agents are shown in their own interface. */
  readonly isInteractive: boolean
  /** Whether expected output is rewritten. */
  readonly isUpdate: boolean
  readonly help: boolean
}

export const runHelp = `Usage: mdtest run [paths…] [options]

Runs markdown specs (*.test.md). Paths replace discovery; "a.test.md:21" selects the step at line 21.

Options:
  -a, --agent NAME         who carries out the prose: auto, claude, codex or none (default: auto)
  -d, --dir DIR            suite root (default: the current directory)
      --allow RULE         what the agent may do without asking, e.g. "Bash(npm *)"; repeatable
  -A, --dangerously-allow-all-actions
                           let the agent do anything without asking
      --allow-side-effects run specs with "side-effects: true" also where CI is set
      --timeout TIME       hard limit of one scenario's agent, e.g. 10m (default: 10m)
      --silence-timeout TIME
                           limit without a sign of life of the agent (default: 3m)
      --min-assurance LEVEL
                           weakest pass that counts: claimed, observed, evidenced or verified
      --concurrency N      how many specs run at once (default: 1, because agents share the suite root)
  -t, --test-name-pattern NAME
                           only steps whose full name matches, joined by " > " or a space
      --tags-filter EXPR   only steps whose tags match, e.g. "smoke && !slow"; repeatable
  -u, --update             write what programs print into the specs, where it is not as expected
      --reporter NAME      a Vitest reporter; repeatable
      --output-file FILE   where the reporter json, junit or html writes
      --pass-with-no-tests exit 0 where there is nothing to run
      --headless           never show the agent's own interface (the default for now)
  -i, --interactive        show the agent's own interface; needs a terminal
  -h, --help               show this text

Exit codes: 0 all executed specs passed, 1 any failed or was blocked, 2 nothing could be run, 130/143 interrupted.
`

const options = {
  agent: { type: 'string', short: 'a' },
  dir: { type: 'string', short: 'd' },
  allow: { type: 'string', multiple: true },
  'dangerously-allow-all-actions': { type: 'boolean', short: 'A' },
  'allow-side-effects': { type: 'boolean' },
  timeout: { type: 'string' },
  'silence-timeout': { type: 'string' },
  'min-assurance': { type: 'string' },
  concurrency: { type: 'string' },
  'test-name-pattern': { type: 'string', short: 't' },
  'tags-filter': { type: 'string', multiple: true },
  reporter: { type: 'string', multiple: true },
  'output-file': { type: 'string' },
  update: { type: 'boolean', short: 'u' },
  'pass-with-no-tests': { type: 'boolean' },
  headless: { type: 'boolean' },
  interactive: { type: 'boolean', short: 'i' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

type AgentName = 'auto' | 'claude' | 'codex' | 'none'
const agents: readonly AgentName[] = ['auto', 'claude', 'codex', 'none']

/**
 * Reads the arguments after `mdtest run`.
 * @throws {SetUpError} for an unknown flag or a bad value.
 */
export function parseRunFlags(args: readonly string[]): RunFlags {
  const { values, positionals } = parseFlags(args, { command: 'run', options })
  if (values.interactive && values.headless) {
    throw new SetUpError('`--interactive` and `--headless` contradict each other: take one of them.')
  }
  const agent = agents.find((name) => name === values.agent)
  if (values.agent !== agent) {
    throw new SetUpError(`Unknown agent \`${values.agent}\`; \`--agent\` takes ${agents.join(', ')}.`)
  }
  const minAssurance = assurances.find((level) => level === values['min-assurance'])
  if (values['min-assurance'] !== minAssurance) {
    throw new SetUpError(`\`--min-assurance\` takes ${assurances.join(', ')}, got \`${values['min-assurance']}\`.`)
  }
  const hardTimeoutMs = milliseconds('--timeout', values.timeout)
  const silenceTimeoutMs = milliseconds('--silence-timeout', values['silence-timeout'])
  return {
    paths: positionals,
    allow: values.allow ?? [],
    reporters: values.reporter ?? [],
    tagsFilter: values['tags-filter'] ?? [],
    concurrency: count('--concurrency', values.concurrency ?? '1'),
    passWithNoTests: values['pass-with-no-tests'] ?? false,
    isInteractive: values.interactive ?? false,
    isUpdate: values.update ?? false,
    help: values.help ?? false,
    ...(agent !== undefined && { agent }),
    ...(values.dir !== undefined && { dir: values.dir }),
    ...(values['output-file'] !== undefined && { outputFile: values['output-file'] }),
    ...(values['dangerously-allow-all-actions'] && { dangerouslyAllowAllActions: true }),
    ...(values['allow-side-effects'] && { allowSideEffects: true }),
    ...(minAssurance !== undefined && { minAssurance }),
    ...(hardTimeoutMs !== undefined && { hardTimeoutMs }),
    ...(silenceTimeoutMs !== undefined && { silenceTimeoutMs }),
    ...(values['test-name-pattern'] !== undefined && { testNamePattern: values['test-name-pattern'] }),
  }
}

function milliseconds(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const durationMs = parseDuration(value)
  if (durationMs === undefined) {
    throw new SetUpError(`\`${flag}\` takes a duration such as 30s, 10m or 1h, got \`${value}\`.`)
  }
  return durationMs
}

const maxConcurrency = 1000

function count(flag: string, value: string): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= 1 && number <= maxConcurrency) return number
  throw new SetUpError(`\`${flag}\` takes a whole number from 1 to ${maxConcurrency}, got \`${value}\`.`)
}
