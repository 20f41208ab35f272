import { executors, sandboxModes } from '../../spec/front-matter/front-matter.ts'
import { replayModes, reproduceModes, type ReproduceMode } from '../../spec/recording/replay-mode.ts'
import type { CommandLine } from '../../plan/options/spec-settings.ts'
import { assurances } from '../../records/outcome.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AskedAgent } from '../common/find-specs.ts'
import { flag, type CommandSyntax, type FlagReader, type Given } from '../common/command.ts'
import {
  agentFlag,
  allowAllActionsFlag,
  allowFlag,
  changeFlag,
  duration,
  includeFlag,
  oneOf,
  refuse,
  repeatable,
  suiteRootFlag,
  webAddress,
  wholeNumber,
} from '../common/flags.ts'

type GivenRun = Given<typeof runSyntax>
type OfRun = 'changed' | 'dir' | 'include' | 'concurrency' | 'testNamePattern' | 'tagsFilter' | 'reporters' | 'report'
type OfResults = 'outputFile' | 'passWithNoTests' | 'update'

/** What `mdtest run` was asked for. An empty `report` is the folder of the options. */
export interface RunFlags extends Pick<GivenRun, 'paths' | OfRun | OfResults> {
  readonly settings: CommandLine & { readonly agent?: AskedAgent }
  /** Whether agents are shown in their own interface; `attended`: where somebody sits in front of a terminal. */
  readonly interface: 'always' | 'attended' | 'never'
  readonly record?: SpecsConfig['record']
}

const reproduceMode: FlagReader<ReproduceMode> = (text, name) =>
  text === '' ||
  (reproduceModes.find((mode) => `${mode}` === text) ??
    refuse(`\`${name}\` takes nothing, warn or false, got \`${text}\`.`))

export const runSyntax = {
  command: 'run',
  usage: ['[paths…] [options]'],
  about: `Runs markdown specs (*.test.md; with --agent browser *.md). Paths of specs and folders replace discovery;
"a.test.md:21" selects the step at line 21.`,
  flags: {
    agent: agentFlag,
    dir: suiteRootFlag,
    include: includeFlag,
    change: changeFlag,
    allow: allowFlag,
    dangerouslyAllowAllActions: allowAllActionsFlag,
    allowSideEffects: flag('--allow-side-effects', 'run specs with "side-effects: true" also where CI is set'),
    executor: flag(
      '--executor WHO',
      'who executes the product: mdtest, agent, or auto, mdtest where it can (default)',
      {
        read: oneOf(executors),
      },
    ),
    sandbox: flag('--sandbox MODE', 'of the agent, where mdtest executes: auto (default), require or off', {
      read: oneOf(sandboxModes),
    }),
    hardTimeoutMs: flag('--timeout TIME', "limit of one scenario's agent (default: 10m)", { read: duration }),
    silenceTimeoutMs: flag('--silence-timeout TIME', 'limit without a sign of life (default: 3m)', { read: duration }),
    minAssurance: flag('--min-assurance LEVEL', `weakest pass that counts: ${assurances.join(', ')}`, {
      read: oneOf(assurances),
    }),
    replay: flag('--replay MODE', 'recordings in place of the agent: auto (default), only or off', {
      read: oneOf(replayModes),
    }),
    reproduce: flag('--reproduce[=warn]', 'a pass counts if mdtest can repeat it; warn: lower those that cannot be', {
      read: reproduceMode,
    }),
    baseUrl: flag('--base-url URL', 'address of the web application, for browser specs', { read: webAddress }),
    provider: flag('--provider NAME', 'of the model for browser specs: openai (default), anthropic, azure or google'),
    model: flag('--model NAME', 'the model (default: one for each provider)'),
    providerUrl: flag('--provider-url URL', 'where the provider is, its version included', { read: webAddress }),
    headed: flag('--headed', 'show the browser'),
    saveLogins: flag('--save-logins', 'keep what logins leave in .mdtest/logins, for later runs'),
    ignoreHttpsErrors: flag('--ignore-https-errors', 'let the browser open pages whose certificate nobody vouches for'),
    concurrency: flag('--concurrency N', 'how many specs run at once (default: 1; 4 where browser is the only agent)', {
      read: wholeNumber(1, 1000),
    }),
    changed: flag('--changed[=REF]', 'only specs that may rest on what changed since a commit (default: the last)'),
    testNamePattern: flag(
      '-t, --test-name-pattern NAME',
      'only steps whose full name matches, joined by " > " or a blank',
    ),
    tagsFilter: flag('--tags-filter EXPR', 'only steps whose tags match: "smoke && !slow"; repeatable', repeatable),
    update: flag('-u, --update', 'write what programs print into the specs, where it is not as expected'),
    reporters: flag('--reporter NAME', 'a Vitest reporter; repeatable', repeatable),
    report: flag('--report[=DIR]', 'write an HTML report, into DIR (default: the option `reportDir`, mdtest-report)'),
    outputFile: flag('--output-file FILE', 'where the reporter json, junit or html writes'),
    passWithNoTests: flag('--pass-with-no-tests', 'exit 0 where there is nothing to run'),
    headless: flag('--headless', "never show the agent's own interface"),
    interactive: flag('-i, --interactive', "show the agent's own interface; needs a terminal, where it is the default"),
  },
  examples: ['', 'shop.test.md --agent auto', '--replay only --report'],
  exitCodes: '0 all executed specs passed, 1 any failed or was blocked, 2 nothing could be run, 130/143 interrupted.',
} satisfies CommandSyntax

export function toRunFlags({ paths, headless, interactive, help: _help, ...given }: GivenRun): RunFlags {
  if (interactive && headless) refuse('`--interactive` and `--headless` contradict each other: take one of them.')
  const { dir, include, concurrency, testNamePattern, tagsFilter, reporters, report, ...others } = given
  const { outputFile, passWithNoTests, update, changed, ...settings } = others
  const filters = { dir, include, concurrency, testNamePattern, tagsFilter }
  return {
    ...withoutUndefined({ ...filters, changed, reporters, report, outputFile, passWithNoTests, update }),
    ...{ paths, settings },
    interface: interactive ? 'always' : headless ? 'never' : 'attended',
  }
}
