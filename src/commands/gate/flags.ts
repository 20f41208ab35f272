import { codingAgentNames, costTellers } from '../../agents/registry.ts'
import { flag, type CommandSyntax, type FlagValues } from '../common/command.ts'
import { agentOf, allowAllActionsFlag, allowFlag, duration, usDollars, wholeNumber } from '../common/flags.ts'
import { SetUpError } from '../common/cli.ts'

export const gateSyntax = {
  command: 'gate',
  usage: ['[options]', '--verify FILE [--rerun]', '--hook [--remove]'],
  about: `Runs the gates of a project in order, compile, lint and test, and writes down the evidence. The commands are in
mdtest.config.json: { "commands": { "compile": null, "lint": "npx eslint .", "test": "npm test" } }`,
  flags: {
    dir: flag('-d, --dir DIR', 'root of the project (default: the current directory)'),
    config: flag('--config FILE', 'configuration in place of mdtest.config.json or .planning/config.json'),
    json: flag('--json', 'print the evidence as JSON, and nothing else, on standard output'),
    agent: flag(
      '-a, --agent NAME',
      `who is asked to fix what failed: ${codingAgentNames.join(', ')}, { acp: [PROGRAM, …] }, a command with {prompt}, command (of the configuration) or none`,
      { read: agentOf([...codingAgentNames, 'command', 'none']) },
    ),
    fixAttempts: flag('--fix-attempts N', 'how often, 0 to 20 (default: 2 with an agent)', {
      read: wholeNumber(0, 20),
    }),
    allow: allowFlag,
    dangerouslyAllowAllActions: allowAllActionsFlag,
    allowTestEdits: flag(
      '--allow-test-edits',
      'let the agent change tests, specs, snapshots and gates, which else undoes its attempt',
    ),
    mayChange: flag(
      '--may-change GLOB',
      'let the agent change these files, too: by default changes of what judges the product are left out; repeatable',
      { isRepeatable: true },
    ),
    maxCostUsd: flag('--max-cost-usd N', `what one attempt may cost (${costTellers})`, { read: usDollars }),
    hardTimeoutMs: flag('--timeout TIME', 'hard limit of one attempt, e.g. 10m (default: 10m)', { read: duration }),
    silenceTimeoutMs: flag('--silence-timeout TIME', 'limit without a sign of life of the agent (default: 3m)', {
      read: duration,
    }),
    noExecutionLog: flag(
      '--no-execution-log',
      'write no EXECUTION-LOG.md, which else is where .planning is, or executionLog is true',
    ),
    verify: flag('--verify FILE', 'judge evidence: prints { pass, gate_validation, concerns }', {
      conflicts: ['hook'],
    }),
    rerun: flag('--rerun', 'with --verify: run the commands again and compare'),
    hook: flag('--hook', 'install a pre-commit hook of git that runs the gates'),
    remove: flag('--remove', 'with --hook: remove it'),
  },
  isFlagsOnly: true,
  examples: ['', '--agent auto --fix-attempts 2', '--verify gate_results.json --rerun'],
  exitCodes: '0 all passed or were skipped, 1 a gate stays red or evidence is rejected, 2 wrong use or configuration.',
} satisfies CommandSyntax

type GateValues = FlagValues<typeof gateSyntax>

const defaults = {
  ...{ allow: [] as string[], mayChange: [] as string[], dangerouslyAllowAllActions: false, allowTestEdits: false },
  ...{ hardTimeoutMs: 600_000, silenceTimeoutMs: 180_000 },
}

export type GateFlags = GateValues & Required<Pick<GateValues, keyof typeof defaults>>

export function toGateFlags(values: GateValues): GateFlags {
  if (values.rerun && values.verify === undefined) throw new SetUpError('`--rerun` needs `--verify FILE`.')
  if (values.remove && !values.hook) throw new SetUpError('`--remove` needs `--hook`.')
  return { ...defaults, ...values }
}

export interface GateRequest {
  readonly flags: GateFlags
  readonly root: string
  readonly file: string | undefined
}
