import { codingAgentNames, costTellers } from '../../agents/registry.ts'
import { implementerAnswerForm } from './session/finished-acts.ts'
import type { FixSettings } from './session/session-state.ts'
import { runnerNames } from '../../test-runners/runners.ts'
import { flag, type CommandSyntax, type FlagReader, type FlagValues } from '../common/define-command.ts'
import {
  agentOf,
  allowAllActionsFlag,
  allowFlag,
  duration,
  filledName,
  mayChangeFlag,
  knownName,
  positiveNumber,
  projectRootFlag,
  repeatable,
  usDollars,
  wholeNumber,
} from '../common/flags.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { SetUpError } from '../common/cli.ts'

export interface FixFlags {
  readonly features: readonly string[]
  readonly resume?: string
  readonly root?: string
  readonly testsOnly: boolean
  readonly json: boolean
  readonly maxAgents: number
  readonly settings: Partial<Omit<FixSettings, 'root'>>
}

/** Accepts only ids that are safe as the name of a folder. */
const sessionId: FlagReader<string> = (text, flag) => {
  if (/^[a-z0-9][a-z0-9T-]*$/.test(text)) return text
  throw new SetUpError(`\`${flag}\` takes the id of a session, got \`${text}\`; \`mdtest sessions\` lists them.`)
}

const count = wholeNumber(1, 999_999)

export const fixSyntax = {
  command: 'fix',
  usage: ['--feature NAME [options]', '--resume ID [options]'],
  about: `Runs the tests, lets an agent fix failures, and runs them again, until all pass or the session must stop. After\nattempts without progress the agent also writes a prompt: \`mdtest docs fix\` has its answers in each role.`,
  flags: {
    features: flag(
      '-f, --feature NAME',
      'label of the work, not a filter; repeatable: each gets its own work tree and branch',
      { read: filledName, isRepeatable: true },
    ),
    scope: flag('--scope PATH', 'file or folder: fix only tests that fail there'),
    runner: flag('--runner NAME', `test runner: ${runnerNames.join(', ')} (default: the first one found)`, {
      read: knownName('runner', runnerNames),
    }),
    agent: flag(
      '-a, --agent NAME',
      `agent that fixes the tests: ${codingAgentNames.join(', ')}, { acp: [PROGRAM, …] }, or a command with {prompt} that prints ${implementerAnswerForm} last (default: auto)`,
      { read: agentOf(codingAgentNames) },
    ),
    docs: flag('--docs PATH', 'file or folder that the agent reads first; repeatable', repeatable),
    allow: allowFlag,
    allow_all_actions: allowAllActionsFlag,
    max_attempts: flag('--max-attempts N', 'maximum number of attempts in all (default: 10)', { read: count }),
    max_minutes: flag('--max-minutes N', 'maximum time in minutes', { read: positiveNumber }),
    max_cost_usd: flag('--max-cost-usd N', `maximum cost in US dollars (only ${costTellers})`, { read: usDollars }),
    agent_timeout_ms: flag('--agent-timeout TIME', 'time limit of one agent call (default: 20m)', { read: duration }),
    agent_silence_timeout_ms: flag(
      '--agent-silence-timeout TIME',
      'time limit without any activity of the agent (default: 5m)',
      { read: duration },
    ),
    test_timeout_ms: flag('--test-timeout TIME', 'time limit of one test run (default: 10m)', { read: duration }),
    test_silence_timeout_ms: flag('--test-silence-timeout TIME', 'time limit without test output (default: 3m)', {
      read: duration,
    }),
    allow_test_edits: flag('--allow-test-edits', 'let the agent change tests, too'),
    may_change: mayChangeFlag,
    allow_script: flag('--allow-script', 'if no test runner is found, run a script that an agent wrote'),
    container: flag('--container IMAGE', 'run the tests in a Docker container with this image'),
    pass_env: flag('--pass-env NAME', 'pass a variable with a secret to the tests; repeatable', repeatable),
    maxAgents: flag('--max-agents N', 'number of features to work on at once (default: 4)', { read: count }),
    resume: flag('--resume ID', 'continue a session; other options change its settings', { read: sessionId }),
    testsOnly: flag('--tests-only', 'with --resume: run its tests once, and do nothing else'),
    root: projectRootFlag,
    json: flag('--json', 'print only the report, as JSON'),
  },
  isFlagsOnly: true,
  examples: ['--feature cart', '--feature cart --scope tests/cart --agent auto', '--resume ID --max-attempts 20'],
  exitCodes:
    '0 all tests pass, 1 a limit was reached, 2 no progress, 3 wrong use, setup error or system error, 130/143 interrupted.',
} satisfies CommandSyntax

export function toFixFlags({ help: _help, ...values }: FlagValues<typeof fixSyntax>): FixFlags {
  const { features = [], maxAgents = 4, resume, root, testsOnly = false, json = false, ...settings } = values
  if ((features.length === 0) === (resume === undefined)) {
    throw new SetUpError('What is to be fixed? Give either `--feature NAME` or `--resume ID`.')
  }
  if (testsOnly && resume === undefined) throw new SetUpError('`--tests-only` goes with `--resume ID`.')
  if (new Set(features).size < features.length) throw new SetUpError('`--feature` was given twice with the same name.')
  return { ...withoutUndefined({ resume, root }), features, maxAgents, testsOnly, json, settings }
}
