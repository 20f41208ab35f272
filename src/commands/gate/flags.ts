import { codingAgentNames, costTellers } from '../../agents/registry.ts'
import { flag, type CommandSyntax, type FlagValues } from '../common/define-command.ts'
import {
  agentOf,
  allowAllActionsFlag,
  allowFlag,
  duration,
  mayChangeFlag,
  usDollars,
  wholeNumber,
} from '../common/flags.ts'
import { SetUpError } from '../common/cli.ts'
import { hooks } from './hook.ts'

export const answerForm = '{ "fix_applied": "…" }'

export const gateSyntax = {
  command: 'gate',
  usage: ['[options]', '--verify FILE [--rerun]', '--hook [--remove]'],
  about: `Runs the gates of a project (compile, lint, test) in this order, and saves evidence of the results. The commands are in
mdtest.config.json: { "commands": { "compile": null, "lint": "npx eslint .", "test": "npm test" } }`,
  flags: {
    dir: flag('-d, --dir DIR', 'project root (default: the nearest folder with a configuration, up to the git root)'),
    config: flag('--config FILE', 'configuration file instead of mdtest.config.json or .planning/config.json'),
    json: flag('--json', 'print only the evidence, as JSON, on standard output'),
    agent: flag(
      '-a, --agent NAME',
      `agent that fixes failed gates: ${codingAgentNames.join(', ')}, none, command (the one in the configuration), { acp: [PROGRAM, …] }, or a command line with {prompt} that prints ${answerForm} last`,
      { read: agentOf([...codingAgentNames, 'command', 'none']) },
    ),
    fixAttempts: flag('--fix-attempts N', 'maximum number of fix attempts, 0 to 20 (default: 2 with an agent)', {
      read: wholeNumber(0, 20),
    }),
    allow: allowFlag,
    dangerouslyAllowAllActions: allowAllActionsFlag,
    allowTestEdits: flag(
      '--allow-test-edits',
      'let the agent change tests, specs, snapshots and gates; otherwise such an attempt is undone',
    ),
    mayChange: mayChangeFlag,
    maxCostUsd: flag('--max-cost-usd N', `US dollars per attempt (only ${costTellers})`, { read: usDollars }),
    hardTimeoutMs: flag('--timeout TIME', 'time limit of one attempt (default: 10m)', { read: duration }),
    silenceTimeoutMs: flag('--silence-timeout TIME', 'time limit without any activity of the agent (default: 3m)', {
      read: duration,
    }),
    noExecutionLog: flag(
      '--no-execution-log',
      'write no EXECUTION-LOG.md; by default it is written if .planning exists or executionLog is true',
    ),
    verify: flag('--verify FILE', 'check evidence (FILE or its folder), print { pass, gate_validation, concerns }', {
      conflicts: ['hook'],
    }),
    rerun: flag('--rerun', 'with --verify: also run the commands again and compare'),
    hook: flag('--hook', `install git hooks that run the gates on the work tree: ${hooks.join(', ')}`),
    remove: flag('--remove', 'with --hook: remove them'),
  },
  isFlagsOnly: true,
  examples: ['', '--agent auto --fix-attempts 2', '--verify .mdtest/gate/TIME/gate_results.json --rerun'],
  exitCodes: '0 all passed or were skipped, 1 a gate failed or evidence was rejected, 2 wrong use or configuration.',
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
