import { agentNames } from '../../agents/registry.ts'
import { isWebAddress } from '../../spec/front-matter/is-web-address.ts'
import { parseDuration } from '../../spec/front-matter/parse-duration.ts'
import { assurances, type Assurance } from '../../records/assurance.ts'
import { parseFlags, withOptionalValue } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'

/** Whether agents are shown in their own interface; `attended`: where somebody sits in front of a terminal. */
export type InterfaceUse = 'always' | 'attended' | 'never'

/** `mdtest run`, as asked for on the command line. */
export interface RunFlags {
  readonly paths: readonly string[]
  readonly agent?: (typeof agents)[number]
  readonly dir?: string
  /** Which files are specs; absent where it is up to the agent. */
  readonly include?: readonly string[]
  readonly allow: readonly string[]
  readonly dangerouslyAllowAllActions?: true
  readonly allowSideEffects?: true
  readonly hardTimeoutMs?: number
  readonly silenceTimeoutMs?: number
  readonly minAssurance?: Assurance
  readonly provider?: string
  readonly model?: string
  readonly providerUrl?: string
  readonly baseUrl?: string
  readonly headed?: true
  readonly testNamePattern?: string
  /** Expressions that the tags of a step have to meet, all of them. */
  readonly tagsFilter: readonly string[]
  readonly reporters: readonly string[]
  /** Folder of the report, or an empty text for that of the options; absent where none is asked for. */
  readonly report?: string
  /** Where reporters that write a file write it. */
  readonly outputFile?: string
  readonly passWithNoTests: boolean
  /** How many specs run at once, from 1; absent where it is up to the agents. */
  readonly concurrency?: number
  readonly interface: InterfaceUse
  /** Whether expected output is rewritten. */
  readonly isUpdate: boolean
  readonly help: boolean
}

export const runHelp = `Usage: mdtest run [paths…] [options]

Runs markdown specs (*.test.md; with --agent browser *.md). Paths of specs and folders replace discovery;
"a.test.md:21" selects the step at line 21.

Options:
  -a, --agent NAME         who carries out the prose: ${agentNames.join(', ')} or none (default: auto)
  -d, --dir DIR            suite root (default: the current directory)
      --include GLOB       which files are specs, relative to the suite root; repeatable (default: the option \`include\`)
      --allow RULE         what the agent may do without asking, e.g. "Bash(npm *)"; repeatable
  -A, --dangerously-allow-all-actions
                           let the agent do anything without asking
      --allow-side-effects run specs with "side-effects: true" also where CI is set
      --timeout TIME       hard limit of one scenario's agent, e.g. 10m (default: 10m)
      --silence-timeout TIME
                           limit without a sign of life of the agent (default: 3m)
      --min-assurance LEVEL
                           weakest pass that counts: claimed, observed, evidenced or verified
      --base-url URL       address of the web application, for browser specs
      --provider NAME      whose model carries out browser specs: openai, anthropic, azure or google (default: openai)
      --model NAME         the model (default: one for each provider)
      --provider-url URL   where the provider is reached, its version included
      --headed             show the browser
      --concurrency N      how many specs run at once (default: 1, because agents share the suite root; 4
                           where browser is the only agent)
  -t, --test-name-pattern NAME
                           only steps whose full name matches, joined by " > " or a space
      --tags-filter EXPR   only steps whose tags match, e.g. "smoke && !slow"; repeatable
  -u, --update             write what programs print into the specs, where it is not as expected
      --reporter NAME      a Vitest reporter; repeatable
      --report[=DIR]       write an HTML report, into DIR (default: the option \`reportDir\`, mdtest-report)
      --output-file FILE   where the reporter json, junit or html writes
      --pass-with-no-tests exit 0 where there is nothing to run
      --headless           never show the agent's own interface
  -i, --interactive        show the agent's own interface; needs a terminal, where it is the default
  -h, --help               show this text

Exit codes: 0 all executed specs passed, 1 any failed or was blocked, 2 nothing could be run, 130/143 interrupted.
`

const options = {
  agent: { type: 'string', short: 'a' },
  dir: { type: 'string', short: 'd' },
  include: { type: 'string', multiple: true },
  allow: { type: 'string', multiple: true },
  'dangerously-allow-all-actions': { type: 'boolean', short: 'A' },
  'allow-side-effects': { type: 'boolean' },
  timeout: { type: 'string' },
  'silence-timeout': { type: 'string' },
  'min-assurance': { type: 'string' },
  'base-url': { type: 'string' },
  provider: { type: 'string' },
  model: { type: 'string' },
  'provider-url': { type: 'string' },
  headed: { type: 'boolean' },
  concurrency: { type: 'string' },
  'test-name-pattern': { type: 'string', short: 't' },
  'tags-filter': { type: 'string', multiple: true },
  reporter: { type: 'string', multiple: true },
  report: { type: 'string' },
  'output-file': { type: 'string' },
  update: { type: 'boolean', short: 'u' },
  'pass-with-no-tests': { type: 'boolean' },
  headless: { type: 'boolean' },
  interactive: { type: 'boolean', short: 'i' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

const agents = [...agentNames, 'none'] as const // names, for a union

/**
 * Reads the arguments after `mdtest run`.
 * @throws {SetUpError} for an unknown flag or a bad value.
 */
export function parseRunFlags(args: readonly string[]): RunFlags {
  // What follows it behind a blank is a path of a spec.
  const { values, positionals } = parseFlags(withOptionalValue(args, '--report'), { command: 'run', options })
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
    passWithNoTests: values['pass-with-no-tests'] ?? false,
    interface: interfaceUse(values),
    isUpdate: values.update ?? false,
    help: values.help ?? false,
    ...(values.concurrency !== undefined && { concurrency: count('--concurrency', values.concurrency) }),
    ...(agent !== undefined && { agent }),
    ...(values.report !== undefined && { report: values.report }),
    ...(values.dir !== undefined && { dir: values.dir }),
    ...(values.include !== undefined && { include: values.include }),
    ...(values['output-file'] !== undefined && { outputFile: values['output-file'] }),
    ...(values['dangerously-allow-all-actions'] && { dangerouslyAllowAllActions: true }),
    ...(values['allow-side-effects'] && { allowSideEffects: true }),
    ...(minAssurance !== undefined && { minAssurance }),
    ...(values.provider !== undefined && { provider: values.provider }),
    ...(values.model !== undefined && { model: values.model }),
    ...(values['provider-url'] !== undefined && { providerUrl: address('--provider-url', values['provider-url']) }),
    ...(values['base-url'] !== undefined && { baseUrl: address('--base-url', values['base-url']) }),
    ...(values.headed && { headed: true }),
    ...(hardTimeoutMs !== undefined && { hardTimeoutMs }),
    ...(silenceTimeoutMs !== undefined && { silenceTimeoutMs }),
    ...(values['test-name-pattern'] !== undefined && { testNamePattern: values['test-name-pattern'] }),
  }
}

function interfaceUse(flags: {
  readonly interactive?: boolean | undefined
  readonly headless?: boolean | undefined
}): InterfaceUse {
  if (flags.interactive && flags.headless) {
    throw new SetUpError('`--interactive` and `--headless` contradict each other: take one of them.')
  }
  if (flags.interactive) return 'always'
  return flags.headless ? 'never' : 'attended'
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

function address(flag: string, value: string): string {
  if (isWebAddress(value)) return value
  throw new SetUpError(`\`${flag}\` takes an address that begins with http:// or https://, got \`${value}\`.`)
}
