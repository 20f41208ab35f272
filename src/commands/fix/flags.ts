import { codingAgentNames, costTellers } from '../../agents/registry.ts'
import type { FixSettings } from './session/session-state.ts'
import { runnerNames } from '../../test-runners/runners.ts'
import { flag, type CommandSyntax, type FlagReader, type FlagValues } from '../common/command.ts'
import {
  agentOf,
  allowAllActionsFlag,
  allowFlag,
  duration,
  filledName,
  nameOf,
  positiveNumber,
  projectRootFlag,
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

/** A word that leads nowhere else as the name of a folder. */
const sessionId: FlagReader<string> = (text, flag) => {
  if (/^[a-z0-9][a-z0-9T-]*$/.test(text)) return text
  throw new SetUpError(`\`${flag}\` takes the id of a session, got \`${text}\`; \`mdtest sessions\` lists them.`)
}

const count = wholeNumber(1, 999_999)

export const fixSyntax = {
  command: 'fix',
  usage: ['--feature NAME [options]', '--resume ID [options]'],
  about: 'Runs the tests, has an agent fix what fails, and runs them again, until they pass or it cannot go on.',
  flags: {
    features: flag(
      '-f, --feature NAME',
      'what the tests are of; repeatable: each in a work tree and branch of its own',
      { read: filledName, isRepeatable: true },
    ),
    scope: flag('--scope PATH', 'file or folder: only tests that fail there are to be fixed'),
    runner: flag('--runner NAME', `${runnerNames.join(', ')} (default: the first that the project has)`, {
      read: nameOf('runner', runnerNames),
    }),
    agent: flag(
      '-a, --agent NAME',
      `${codingAgentNames.join(', ')}, { acp: [PROGRAM, …] }, or a command with {prompt} (default: auto)`,
      { read: agentOf(codingAgentNames) },
    ),
    docs: flag('--docs PATH', 'what the agent reads first; repeatable', { isRepeatable: true }),
    allow: allowFlag,
    allow_all_actions: allowAllActionsFlag,
    max_attempts: flag('--max-attempts N', 'attempts at most (default: 10)', { read: count }),
    max_minutes: flag('--max-minutes N', 'minutes at most', { read: positiveNumber }),
    max_cost_usd: flag('--max-cost-usd N', `US dollars at most (${costTellers})`, { read: usDollars }),
    agent_timeout_ms: flag('--agent-timeout TIME', 'limit of one call of an agent (default: 20m)', { read: duration }),
    agent_silence_timeout_ms: flag(
      '--agent-silence-timeout TIME',
      'limit without a sign of life of the agent (default: 5m)',
      { read: duration },
    ),
    test_timeout_ms: flag('--test-timeout TIME', 'limit of one run of the tests (default: 10m)', { read: duration }),
    test_silence_timeout_ms: flag('--test-silence-timeout TIME', 'limit of the tests without output (default: 3m)', {
      read: duration,
    }),
    allow_test_edits: flag('--allow-test-edits', 'let the agent change tests, too'),
    may_change: flag(
      '--may-change GLOB',
      'let the agent change these files, too: by default changes of what judges the product are left out; repeatable',
      { isRepeatable: true },
    ),
    allow_script: flag('--allow-script', 'where no runner is known, run a script that an agent wrote'),
    container: flag('--container IMAGE', 'run the tests in a container of Docker'),
    pass_env: flag('--pass-env NAME', 'a variable with a secret that the tests need; repeatable', {
      isRepeatable: true,
    }),
    maxAgents: flag('--max-agents N', 'features at once (default: 4)', { read: count }),
    resume: flag('--resume ID', 'go on with a session; other options change its settings', { read: sessionId }),
    testsOnly: flag('--tests-only', 'with --resume: only run its tests once'),
    root: projectRootFlag,
    json: flag('--json', 'print the report as JSON, and nothing else'),
  },
  isFlagsOnly: true,
  examples: ['--feature cart', '--feature cart --scope tests/cart --agent auto', '--resume ID --max-attempts 10'],
  exitCodes:
    '0 all tests pass, 1 a limit was reached, 2 no progress, 3 wrong use, set-up or system error, 130/143 interrupted.',
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
