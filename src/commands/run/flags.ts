import { executors, sandboxModes } from '../../spec/front-matter/front-matter.ts'
import { replayModes } from '../../spec/recording/replay-mode.ts'
import type { CommandLine } from '../../plan/options/spec-settings.ts'
import { assurances } from '../../records/outcome.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import type { AskedAgent } from '../common/asked-specs.ts'
import type { CommandSyntax } from '../common/command-syntax.ts'
import { duration, oneOf, reproduceMode, webAddress, wholeNumber } from '../common/flag-readers.ts'
import { parseFlags } from '../common/parse-flags.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { SetUpError } from '../common/set-up-error.ts'
import {
  agentFlag,
  allowAllActionsFlag,
  allowFlag,
  changeFlag,
  includeFlag,
  suiteRootFlag,
} from '../common/shared-flags.ts'

/** Whether agents are shown in their own interface; `attended`: where somebody sits in front of a terminal. */
type InterfaceUse = 'always' | 'attended' | 'never'

/** `mdtest run`, as asked for on the command line. */
export interface RunFlags {
  readonly paths: readonly string[]
  /** Suite root. */
  readonly dir?: string
  /** Which files are specs; absent where it is up to the agent. */
  readonly include?: readonly string[]
  /** What goes to every spec. */
  readonly settings: CommandLine & { readonly agent?: AskedAgent }
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
  /** Whether what agents do is recorded; `mdtest record` alone does. */
  readonly record?: SpecsConfig['record']
  readonly help: boolean
}

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
    allowSideEffects: {
      flag: 'allow-side-effects',
      summary: 'run specs with "side-effects: true" also where CI is set',
    },
    executor: {
      flag: 'executor',
      value: 'WHO',
      read: oneOf(executors),
      summary: 'who executes the product: mdtest alone, the agent, or mdtest wherever it can (default: auto)',
    },
    sandbox: {
      flag: 'sandbox',
      value: 'MODE',
      read: oneOf(sandboxModes),
      summary: 'whether the agent is in a sandbox where mdtest executes: auto, require or off (default: auto)',
    },
    hardTimeoutMs: {
      flag: 'timeout',
      value: 'TIME',
      read: duration,
      summary: "hard limit of one scenario's agent, e.g. 10m (default: 10m)",
    },
    silenceTimeoutMs: {
      flag: 'silence-timeout',
      value: 'TIME',
      read: duration,
      summary: 'limit without a sign of life of the agent (default: 3m)',
    },
    minAssurance: {
      flag: 'min-assurance',
      value: 'LEVEL',
      read: oneOf(assurances),
      summary: 'weakest pass that counts: claimed, observed, evidenced, witnessed, reproduced or verified',
    },
    replay: {
      flag: 'replay',
      value: 'MODE',
      read: oneOf(replayModes),
      summary: 'when recordings take the place of the agent: auto, only or off (default: auto)',
    },
    reproduce: {
      flag: 'reproduce',
      value: '[=warn]',
      read: reproduceMode,
      summary: 'repeat what agents did, without them, before a pass counts; warn: lower those that cannot be',
    },
    baseUrl: {
      flag: 'base-url',
      value: 'URL',
      read: webAddress,
      summary: 'address of the web application, for browser specs',
    },
    provider: {
      flag: 'provider',
      value: 'NAME',
      summary: 'whose model carries out browser specs: openai, anthropic, azure or google (default: openai)',
    },
    model: { flag: 'model', value: 'NAME', summary: 'the model (default: one for each provider)' },
    providerUrl: {
      flag: 'provider-url',
      value: 'URL',
      read: webAddress,
      summary: 'where the provider is reached, its version included',
    },
    headed: { flag: 'headed', summary: 'show the browser' },
    ignoreHttpsErrors: {
      flag: 'ignore-https-errors',
      summary: 'let the browser open pages whose certificate nobody vouches for',
    },
    concurrency: {
      flag: 'concurrency',
      value: 'N',
      read: wholeNumber(1, 1000),
      summary:
        'how many specs run at once (default: 1, because agents share the suite root; 4 where browser is the only agent)',
    },
    testNamePattern: {
      flag: 'test-name-pattern',
      short: 't',
      value: 'NAME',
      summary: 'only steps whose full name matches, joined by " > " or a space',
    },
    tagsFilter: {
      flag: 'tags-filter',
      value: 'EXPR',
      isRepeatable: true,
      summary: 'only steps whose tags match, e.g. "smoke && !slow"; repeatable',
    },
    update: {
      flag: 'update',
      short: 'u',
      summary: 'write what programs print into the specs, where it is not as expected',
    },
    reporters: { flag: 'reporter', value: 'NAME', isRepeatable: true, summary: 'a Vitest reporter; repeatable' },
    report: {
      flag: 'report',
      value: '[=DIR]',
      summary: 'write an HTML report, into DIR (default: the option `reportDir`, mdtest-report)',
    },
    outputFile: { flag: 'output-file', value: 'FILE', summary: 'where the reporter json, junit or html writes' },
    passWithNoTests: { flag: 'pass-with-no-tests', summary: 'exit 0 where there is nothing to run' },
    headless: { flag: 'headless', summary: "never show the agent's own interface" },
    interactive: {
      flag: 'interactive',
      short: 'i',
      summary: "show the agent's own interface; needs a terminal, where it is the default",
    },
  },
  examples: ['', 'shop.test.md --agent auto', '--replay only --report'],
  exitCodes: '0 all executed specs passed, 1 any failed or was blocked, 2 nothing could be run, 130/143 interrupted.',
} satisfies CommandSyntax

/**
 * Reads the arguments after `mdtest run`.
 * @throws {SetUpError} for an unknown flag or a bad value.
 */
export function parseRunFlags(args: readonly string[]): RunFlags {
  return toRunFlags(parseFlags(args, runSyntax))
}

/** What flags of `mdtest run` say, for a command that has them, too. */
export function toRunFlags({ values, positionals }: ReturnType<typeof parseFlags<typeof runSyntax>>): RunFlags {
  const { dir, include, concurrency, testNamePattern, report, outputFile, ...others } = values
  const { tagsFilter = [], reporters = [], passWithNoTests, update, headless, interactive, help, ...more } = others
  if (interactive && headless) {
    throw new SetUpError('`--interactive` and `--headless` contradict each other: take one of them.')
  }
  return {
    ...withoutUndefined({ dir, include, concurrency, testNamePattern, report, outputFile }),
    paths: positionals,
    settings: more,
    tagsFilter,
    reporters,
    passWithNoTests: passWithNoTests ?? false,
    interface: interactive ? 'always' : headless ? 'never' : 'attended',
    isUpdate: update ?? false,
    help: help ?? false,
  }
}
