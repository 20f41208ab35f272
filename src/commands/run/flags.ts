import { executors, replayModes, reproduceModes, sandboxModes } from '../../spec/front-matter/front-matter.ts'
import type { ReproduceMode } from '../../spec/front-matter/front-matter.ts'
import type { CommandLine } from '../../plan/options/spec-settings.ts'
import { assurances } from '../../records/outcome.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AskedAgent } from '../common/find-specs.ts'
import { flag, type CommandSyntax, type FlagReader, type Given } from '../common/define-command.ts'
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

/** The arguments of `mdtest run`. If `report` is an empty string, the option `reportDir` names the folder. */
export interface RunFlags extends Pick<GivenRun, 'paths' | OfRun | OfResults> {
  readonly settings: CommandLine & { readonly agent?: AskedAgent }
  /** Whether agents show their own interface. `attended`: only if a person uses this terminal. */
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
  about: `Runs markdown specs (*.test.md; with --agent browser *.md). Without paths it runs all specs in the suite root.
"a.test.md:21" selects the step at line 21.`,
  flags: {
    agent: agentFlag,
    dir: suiteRootFlag,
    include: includeFlag,
    change: changeFlag,
    allow: allowFlag,
    dangerouslyAllowAllActions: allowAllActionsFlag,
    allowSideEffects: flag('--allow-side-effects', 'run specs with "side-effects: true" even if CI is set'),
    executor: flag('--executor WHO', 'who executes the product: mdtest, agent or auto (default, mdtest if possible)', {
      read: oneOf(executors),
    }),
    sandbox: flag('--sandbox MODE', "agent's sandbox if mdtest executes: auto (default), require or off", {
      read: oneOf(sandboxModes),
    }),
    hardTimeoutMs: flag('--timeout TIME', 'time limit of the agent per scenario (default: 10m)', { read: duration }),
    silenceTimeoutMs: flag('--silence-timeout TIME', 'limit without agent activity (default: 3m)', { read: duration }),
    minAssurance: flag('--min-assurance LEVEL', `lowest assurance that counts as a pass: ${assurances.join(', ')}`, {
      read: oneOf(assurances),
    }),
    replay: flag('--replay MODE', 'use recordings instead of the agent: auto (default), only or off', {
      read: oneOf(replayModes),
    }),
    reproduce: flag('--reproduce[=warn]', 'fail passes that mdtest cannot repeat (=warn only lowers their assurance)', {
      read: reproduceMode,
    }),
    baseUrl: flag('--base-url URL', 'address of the web application, for browser specs', { read: webAddress }),
    provider: flag('--provider NAME', 'model provider for browser specs: openai (default), anthropic, azure or google'),
    model: flag('--model NAME', 'model for browser specs (default: depends on the provider)'),
    providerUrl: flag('--provider-url URL', 'URL of the provider, including the version of its API', {
      read: webAddress,
    }),
    headed: flag('--headed', 'show the browser'),
    saveLogins: flag('--save-logins', 'save the cookies and storage of logins in .mdtest/logins, for later runs'),
    ignoreHttpsErrors: flag('--ignore-https-errors', 'let the browser open pages with an untrusted certificate'),
    concurrency: flag('--concurrency N', 'specs that run at once (default: 1; 4 if browser is the only agent)', {
      read: wholeNumber(1, 1000),
    }),
    changed: flag('--changed[=REF]', 'only specs that may be affected by changes since REF (default: the last commit)'),
    testNamePattern: flag(
      '-t, --test-name-pattern NAME',
      'only steps whose full name matches: titles joined by " > " or a blank',
    ),
    tagsFilter: flag('--tags-filter EXPR', 'only steps whose tags match: "smoke && !slow"; repeatable', repeatable),
    update: flag('-u, --update', 'write actual output into the specs where it differs from the expected output'),
    reporters: flag('--reporter NAME', 'a Vitest reporter; repeatable', repeatable),
    report: flag('--report[=DIR]', 'write an HTML report to DIR (default: the option `reportDir`, mdtest-report)'),
    outputFile: flag('--output-file FILE', 'output file of the reporter json, junit or html'),
    passWithNoTests: flag('--pass-with-no-tests', 'exit with 0 if there is nothing to run'),
    headless: flag('--headless', "never show the agent's own interface"),
    interactive: flag('-i, --interactive', "show the agent's own interface, which needs a terminal (default there)"),
  },
  examples: ['', 'shop.test.md --agent auto', '--replay only --report'],
  exitCodes: '0 all executed specs passed, 1 a spec failed or was blocked, 2 nothing could run, 130/143 interrupted.',
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
