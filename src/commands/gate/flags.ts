import { codingAgentNames } from '../../agents/registry.ts'
import { parseDuration } from '../../spec/front-matter/parse-duration.ts'
import { parseFlags } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'

/** `mdtest gate`, as asked for on the command line. */
export interface GateFlags {
  readonly action: 'run' | 'verify' | 'add-hook' | 'remove-hook'
  readonly dir?: string
  readonly config?: string
  readonly json: boolean
  readonly agent?: (typeof agents)[number]
  /** From 0. */
  readonly fixAttempts?: number
  readonly allow: readonly string[]
  readonly dangerouslyAllowAllActions: boolean
  readonly allowTestEdits: boolean
  /** Globs. */
  readonly mayChange: readonly string[]
  readonly maxCostUsd?: number
  readonly hardTimeoutMs: number
  readonly silenceTimeoutMs: number
  readonly hasExecutionLog: boolean
  /** File to verify. */
  readonly evidence: string
  readonly isRerun: boolean
  readonly help: boolean
}

export const gateHelp = `Usage: mdtest gate [options]
       mdtest gate --verify FILE [--rerun]
       mdtest gate --hook [--remove]

Runs the gates of a project in order, compile, lint and test, and writes down the evidence. The commands are in
mdtest.config.json: { "commands": { "compile": null, "lint": "npx eslint .", "test": "npm test" } }

Options:
  -d, --dir DIR            root of the project (default: the current directory)
      --config FILE        configuration in place of mdtest.config.json or .planning/config.json
      --json               print the evidence as JSON, and nothing else, on standard output
  -a, --agent NAME         who is asked to fix what failed: ${codingAgentNames.join(', ')}, command (of the configuration) or none
      --fix-attempts N     how often, 0 to 20 (default: 2 with an agent)
      --allow RULE         what the agent may do without asking, e.g. "Bash(npm *)"; repeatable
  -A, --dangerously-allow-all-actions
                           let the agent do anything without asking
      --allow-test-edits   let the agent change tests, specs, snapshots and gates, which else undoes its attempt
      --may-change GLOB    let the agent change these files, too: by default only sources of the product and new files
                           beside them count, and other changes are left out; repeatable
      --max-cost-usd N     what one attempt may cost (Claude Code)
      --timeout TIME       hard limit of one attempt, e.g. 10m (default: 10m)
      --silence-timeout TIME
                           limit without a sign of life of the agent (default: 3m)
      --no-execution-log   write no EXECUTION-LOG.md, which else is where .planning is, or executionLog is true
      --verify FILE        judge evidence: prints { pass, gate_validation, concerns }
      --rerun              with --verify: run the commands again and compare
      --hook               install a pre-commit hook of git that runs the gates
      --remove             with --hook: remove it
  -h, --help               show this text

Exit codes: 0 all passed or were skipped, 1 a gate stays red or evidence is rejected, 2 wrong use or configuration.
`

const options = {
  dir: { type: 'string', short: 'd' },
  config: { type: 'string' },
  json: { type: 'boolean' },
  agent: { type: 'string', short: 'a' },
  'fix-attempts': { type: 'string' },
  allow: { type: 'string', multiple: true },
  'dangerously-allow-all-actions': { type: 'boolean', short: 'A' },
  'allow-test-edits': { type: 'boolean' },
  'may-change': { type: 'string', multiple: true },
  'max-cost-usd': { type: 'string' },
  timeout: { type: 'string' },
  'silence-timeout': { type: 'string' },
  'no-execution-log': { type: 'boolean' },
  verify: { type: 'string' },
  rerun: { type: 'boolean' },
  hook: { type: 'boolean' },
  remove: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

const agents = [...codingAgentNames, 'command', 'none'] as const // names, for a union

const maxFixAttempts = 20

/**
 * Reads the arguments after `mdtest gate`.
 * @throws {SetUpError} for an unknown flag, a bad value, or flags that do not go together.
 */
export function parseGateFlags(args: readonly string[]): GateFlags {
  const { values, positionals } = parseFlags(args, { command: 'gate', options })
  if (positionals.length > 0) throw new SetUpError(`Unexpected \`${positionals[0]}\`; see \`mdtest gate --help\`.`)
  const agent = agents.find((name) => name === values.agent)
  if (values.agent !== agent) {
    throw new SetUpError(`Unknown agent \`${values.agent}\`; \`--agent\` takes ${agents.join(', ')}.`)
  }
  const fixAttempts = readAttempts(values['fix-attempts'])
  const maxCostUsd = readCost(values['max-cost-usd'])
  return {
    action: actionOf(values),
    json: values.json ?? false,
    allow: values.allow ?? [],
    dangerouslyAllowAllActions: values['dangerously-allow-all-actions'] ?? false,
    allowTestEdits: values['allow-test-edits'] ?? false,
    mayChange: values['may-change'] ?? [],
    hardTimeoutMs: readDuration('--timeout', values.timeout ?? '10m'),
    silenceTimeoutMs: readDuration('--silence-timeout', values['silence-timeout'] ?? '3m'),
    hasExecutionLog: !values['no-execution-log'],
    evidence: values.verify ?? '',
    isRerun: values.rerun ?? false,
    help: values.help ?? false,
    ...(agent !== undefined && { agent }),
    ...(fixAttempts !== undefined && { fixAttempts }),
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    ...(values.dir !== undefined && { dir: values.dir }),
    ...(values.config !== undefined && { config: values.config }),
  }
}

interface Actions {
  readonly verify?: string
  readonly rerun?: boolean
  readonly hook?: boolean
  readonly remove?: boolean
}

function actionOf({ verify, rerun, hook, remove }: Actions): GateFlags['action'] {
  if (verify !== undefined && hook) throw new SetUpError('`--verify` and `--hook` do not go together.')
  if (rerun && verify === undefined) throw new SetUpError('`--rerun` needs `--verify FILE`.')
  if (remove && !hook) throw new SetUpError('`--remove` needs `--hook`.')
  if (verify !== undefined) return 'verify'
  if (hook) return remove ? 'remove-hook' : 'add-hook'
  return 'run'
}

function readAttempts(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text) && Number(text) <= maxFixAttempts) return Number(text)
  throw new SetUpError(`\`--fix-attempts\` takes a whole number from 0 to ${maxFixAttempts}, got \`${text}\`.`)
}

function readCost(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d*\.?\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new SetUpError(`\`--max-cost-usd\` takes an amount in US dollars above 0, got \`${text}\`.`)
}

function readDuration(flag: string, text: string): number {
  const durationMs = parseDuration(text)
  if (durationMs !== undefined) return durationMs
  throw new SetUpError(`\`${flag}\` takes a duration such as 30s, 10m or 1h, got \`${text}\`.`)
}
