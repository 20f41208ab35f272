import { resolve } from 'node:path'
import type { CliAgent } from '../../agents/agent.ts'
import type { RunSpecsResult, SpecSelection } from '../../vitest/plugin/run-specs.ts'
import { ownsStdout } from '../../vitest/reporters/lines/print-line.ts'
import { interruptedBy, type CommandEnding } from '../common/exit-code.ts'
import type { ResolvedOptions } from '../../plan/options/resolve-options.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { configurationError, suiteRoot } from '../common/suite.ts'
import { formatHelp } from '../common/parse-flags.ts'
import type { CliContext } from '../common/cli-context.ts'
import { findAgents } from './find-agents.ts'
import { commandFor, specFilter } from '../common/asked-specs.ts'
import { noSpecsOf, specsOfChange } from '../common/find-change.ts'
import { discoverSpecs, formatPatterns, namedSpecs } from '../common/find-specs.ts'
import { openAgentTerminal, openAttendedTerminal } from './open-terminal.ts'
import { parseRunFlags, runSyntax, type RunFlags } from './flags.ts'
import { headingLines } from './heading-lines.ts'
import { describeMissing } from './report-missing.ts'
import type { SpecResult } from '../../vitest/reporters/spec-results.ts'
import { messageOf } from '../../system/error-facts.ts'
import { quoteWord } from '../../system/text/quoting.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'

/**
 * `mdtest run`: runs specs and sums them up.
 * @throws {SetUpError} if nothing can be run.
 */
export async function run(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const flags = parseRunFlags(args)
  if (flags.help) {
    cli.stdout.write(formatHelp(runSyntax))
    return { command: 'run', end: 'passed' }
  }
  return runAsAsked(flags, cli)
}

/**
 * Runs specs as flags say.
 * @throws {SetUpError} if nothing can be run.
 */
export async function runAsAsked(flags: RunFlags, cli: CliContext): Promise<CommandEnding> {
  const dir = await suiteRoot(flags.dir, cli.cwd)
  try {
    return await conclude(await start({ flags, dir, cli }), { flags, dir, cli })
  } catch (error: unknown) {
    if (error instanceof NoSpecs) return endWithoutTests(flags, cli, { sentence: error.message, specs: [] })
    throw error
  }
}

/** Nothing is there to be run: Vitest need not go on. */
class NoSpecs extends MdtestError {}

/** @throws {NoSpecs} */
async function findSelected(
  { flags, dir, cli }: RunContext,
  options: ResolvedOptions,
): Promise<readonly SpecSelection[]> {
  const { change } = flags.settings
  if (change !== undefined) {
    const ofChange = await specsOfChange({ ...flags, change }, dir)
    if (ofChange.length > 0) return ofChange
    throw new NoSpecs('OPTION_INVALID', noSpecsOf(change))
  }
  const asked = { include: flags.include, agent: flags.settings.agent, paths: flags.paths }
  const { include, onLeftOut } = specFilter(asked, { options, root: dir, stderr: cli.stderr })
  const found =
    flags.paths.length > 0
      ? await namedSpecs(flags.paths, { dir, cwd: cli.cwd, include, onLeftOut }).catch(withReportHint(flags))
      : await discoverSpecs(dir, include, { onLeftOut })
  if (found.length > 0)
    return await Promise.all(
      found.map((spec) =>
        headingLines(spec, {
          root: dir,
          isOfScenario: flags.record !== undefined,
          options,
          commandLine: flags.settings,
        }),
      ),
    )
  throw new NoSpecs('OPTION_INVALID', `There is no spec (${formatPatterns(include)}) under ${dir}.`)
}

/** What stands behind `--report` and a blank is meant for its value at times. */
function withReportHint({ report }: RunFlags): (error: unknown) => never {
  return (error) => {
    if (report !== '' || !(error instanceof SetUpError)) throw error
    throw new SetUpError(`${error.message} A folder for the report is written as \`--report=DIR\`.`)
  }
}

interface RunContext {
  readonly flags: RunFlags
  readonly dir: string
  readonly cli: CliContext
}

interface Started extends RunSpecsResult {
  /** Those in force; absent where the run ended before they were known. */
  readonly options: ResolvedOptions | undefined
}

async function start(context: RunContext): Promise<Started> {
  const { flags, dir, cli } = context
  const demanded = flags.interface === 'always' ? await openAgentTerminal(cli) : undefined
  const { runSpecs } = await import('../../vitest/plugin/run-specs.ts')
  let options: ResolvedOptions | undefined
  const result = await runSpecs({
    root: dir,
    commandLine: flags.settings,
    reporters: flags.reporters,
    ...(flags.outputFile !== undefined && { outputFile: resolve(cli.cwd, flags.outputFile) }),
    isUpdate: flags.isUpdate,
    streams: cli,
    signal: cli.signal,
    async onConfigured(config) {
      ;({ options } = config)
      const specs = await findSelected(context, options)
      const agents = await findAgents(specs, config, { ...cli, root: dir })
      const terminal = flags.interface === 'attended' ? await openAttendedTerminal(agents, cli) : demanded
      return { specs, concurrency: flags.concurrency ?? concurrencyOf(agents), terminal }
    },
    ...(flags.report !== undefined && {
      report: flags.report === '' ? {} : { dir: resolve(cli.cwd, flags.report) },
    }),
    tagsFilter: flags.tagsFilter,
    ...(flags.record && { record: flags.record }),
    ...(flags.testNamePattern !== undefined && { testNamePattern: namePattern(flags.testNamePattern) }),
  }).catch((error: unknown) => {
    throw options === undefined ? configurationError(dir, error) : withoutReporter(error)
  })
  return { ...result, options }
}

const reporters = ['default', 'verbose', 'dot', 'json', 'junit', 'tap', 'tap-flat', 'tree', 'html', 'github-actions']

/** Vitest says where in its own code it looked for a reporter. */
function withoutReporter(error: unknown): unknown {
  const [, name] = /^Failed to load custom Reporter from (.+)$/.exec(messageOf(error)) ?? []
  if (name === undefined) return error
  const known = `Vitest has ${reporters.join(', ')}; any other name is a module that is installed.`
  return new SetUpError(`There is no reporter \`${name}\`.${didYouMean(name, reporters)} ${known}`)
}

/** Agents share the suite root, but a browser is its scenario's own. */
function concurrencyOf(agents: readonly CliAgent[]): number {
  return agents.length > 0 && agents.every((agent) => agent.drivesBrowser === true) ? 4 : 1
}

async function conclude(result: Started, { flags, dir, cli }: RunContext): Promise<CommandEnding> {
  const { stdout, stderr, signal } = cli
  if (signal.aborted) return interruptedBy(signal)
  const { options } = result
  if (options !== undefined) {
    for (const { file } of result.specs.filter(({ isMissing }) => isMissing))
      stderr.write(await describeMissing(file, { root: dir, options, commandLine: flags.settings }))
  }
  const executed = result.specs.filter(({ outcome }) => outcome !== 'skipped')
  const hasFailed = executed.some(({ outcome }) => outcome !== 'pass') || result.unhandledErrors > 0
  if (executed.length === 0 && !hasFailed)
    return endWithoutTests(flags, cli, {
      sentence: `No test ran: ${whyNothing(flags, result)}`,
      specs: result.specs,
    })
  const out = isStdoutOwned(flags) ? stderr : stdout
  out.write(`${summaryLine(result.specs)}\n`)
  return { command: 'run', end: hasFailed || isUnrecorded(result, flags) ? 'failed' : 'passed' }
}

/** Whether something was to be recorded and could not be, or is not there as it would be recorded now. */
function isUnrecorded({ recordings }: RunSpecsResult, { record }: RunFlags): boolean {
  if (record === undefined) return false
  return recordings.some(({ refusals, problem, before, after, isWritten }) => {
    return refusals.length > 0 || problem !== undefined || (before !== after && !isWritten)
  })
}

function whyNothing({ testNamePattern, tagsFilter, paths, settings }: RunFlags, { tags }: RunSpecsResult): string {
  const { change, agent } = settings
  const ofChange = change === undefined ? [] : ['--change', quoteWord(change)]
  const list = `\`${commandFor(['list', ...paths, ...ofChange], agent)}\``
  if (testNamePattern !== undefined)
    return `no title matches \`${testNamePattern}\`, or what matches was skipped; ${list} shows all titles.`
  const [unknown] = tags.unknown
  if (unknown !== undefined) return describeUnknownTag(unknown, tags.known)
  if (tagsFilter.length > 0)
    return `no step has the tags \`${tagsFilter.join(' ')}\`, or those that have were skipped; ${list} shows them.`
  return 'all were skipped.'
}

function describeUnknownTag(name: string, known: readonly string[]): string {
  const others = known.length === 0 ? 'No spec has any tag.' : `Known tags: ${known.join(', ')}.`
  return `no step has the tag \`${name}\`.${didYouMean(name, known)} ${others}`
}

interface WithoutTests {
  readonly sentence: string
  readonly specs: RunSpecsResult['specs']
}

function endWithoutTests(
  flags: RunFlags,
  { stdout, stderr }: CliContext,
  { sentence, specs }: WithoutTests,
): CommandEnding {
  if (!flags.passWithNoTests)
    throw new SetUpError(`${sentence} To count that as success, pass \`--pass-with-no-tests\`.`)
  const out = isStdoutOwned(flags) ? stderr : stdout
  out.write(`${summaryLine(specs)}\n`)
  return { command: 'run', end: 'passed' }
}

function isStdoutOwned({ reporters, outputFile }: RunFlags): boolean {
  return outputFile === undefined && ownsStdout(reporters)
}

/**
 * The pattern of `-t` for either Vitest: 4 joins the titles of a test with a blank, 5 with ` > `. A blank inside brackets
 * stands for itself.
 */
export function namePattern(pattern: string): string {
  return pattern.replaceAll(/(\[(?:\\.|[^\]\\])*\])| > | /g, (_match, brackets?: string) => brackets ?? '(?: > | )')
}

/** `N passed, N failed[, N blocked][, N skipped]`, counting specs. */
function summaryLine(specs: readonly SpecResult[]): string {
  const count = (outcome: SpecResult['outcome']): number => specs.filter((spec) => spec.outcome === outcome).length
  const rare = (['blocked', 'skipped'] as const).flatMap((outcome) =>
    // literals, not strings
    count(outcome) > 0 ? [`${count(outcome)} ${outcome}`] : [],
  )
  return [`${count('pass')} passed`, `${count('fail')} failed`, ...rare].join(', ')
}
