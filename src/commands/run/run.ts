import { readFile, readlink } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { RunSpecsResult } from '../../vitest/plugin/run-specs.ts'
import { ownsStdout } from '../../vitest/reporters/lines/print-line.ts'
import type { SpecResult } from '../../vitest/reporters/spec-results.ts'
import type { ResolvedOptions } from '../../plan/options/option-defaults.ts'
import { messageOf } from '../../system/error-facts.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { statsOf } from '../../system/files/paths.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { quoteWord } from '../../system/text/shell-and-regex-quotes.ts'
import { askedSpecs, commandFor, NoSpecs, type FoundSpec } from '../common/find-specs.ts'
import { type CliContext, exitCodes, SetUpError, interruptedBy } from '../common/cli.ts'
import { command } from '../common/define-command.ts'
import { configurationError, suiteRoot } from '../common/suite.ts'
import { findAgents } from './find-agents.ts'
import { runSyntax, toRunFlags, type RunFlags } from './flags.ts'
import { openAgentTerminal, openAttendedTerminal } from './open-terminal.ts'

export const run = command(runSyntax, (given, cli) => runAsAsked(toRunFlags(given), cli))

export async function runAsAsked(flags: RunFlags, cli: CliContext): Promise<number> {
  const context = { flags, cli, dir: await suiteRoot(flags.dir, cli.cwd) }
  try {
    return await conclude(await runSelected(context), context)
  } catch (error: unknown) {
    if (error instanceof NoSpecs) return endWithoutTests(context, { sentence: error.message, specs: [] })
    throw error
  }
}

interface RunContext {
  readonly flags: RunFlags
  readonly dir: string
  readonly cli: CliContext
}

interface Started extends RunSpecsResult {
  readonly options: ResolvedOptions | undefined
}

async function runSelected(context: RunContext): Promise<Started> {
  const { flags, dir, cli } = context
  const demanded = flags.interface === 'always' ? await openAgentTerminal(cli) : undefined
  const { runSpecs } = await import('../../vitest/plugin/run-specs.ts')
  let options: ResolvedOptions | undefined
  const result = await runSpecs({
    root: dir,
    commandLine: flags.settings,
    reporters: flags.reporters ?? [],
    ...(flags.outputFile !== undefined && { outputFile: resolve(cli.cwd, flags.outputFile) }),
    isUpdate: flags.update ?? false,
    streams: cli,
    signal: cli.signal,
    async onConfigured(config) {
      ;({ options } = config)
      const specs = await findSelected(context, options)
      const agents = await findAgents(specs, config, { ...cli, root: dir })
      const terminal = flags.interface === 'attended' ? await openAttendedTerminal(agents, cli) : demanded
      // Agents without a browser share the suite root, so by default they run one at a time.
      const areBrowsers = agents.length > 0 && agents.every((agent) => agent.drivesBrowser === true)
      return { specs, concurrency: flags.concurrency ?? (areBrowsers ? 4 : 1), terminal }
    },
    ...(flags.report !== undefined && { report: flags.report === '' ? {} : { dir: resolve(cli.cwd, flags.report) } }),
    tagsFilter: flags.tagsFilter ?? [],
    ...(flags.changed !== undefined && { changed: flags.changed || true }),
    ...(flags.record && { record: flags.record }),
    ...(flags.testNamePattern !== undefined && { testNamePattern: namePattern(flags.testNamePattern) }),
  }).catch((error: unknown) => {
    throw options === undefined ? configurationError(dir, error) : withoutReporter(error)
  })
  return { ...result, options }
}

async function findSelected({ flags, dir, cli }: RunContext, options: ResolvedOptions): Promise<readonly FoundSpec[]> {
  const { paths, settings, report } = flags
  const asked = { paths, include: flags.include, agent: settings.agent, change: settings.change }
  const found = await askedSpecs(asked, { ...cli, options, root: dir }).catch((error: unknown) => {
    // Perhaps the path was meant as the folder of `--report`.
    const isMeant = report === '' && paths.length > 0 && error instanceof SetUpError && settings.change === undefined
    if (!isMeant) throw error
    throw new SetUpError(`${error.message} A folder for the report is written as \`--report=DIR\`.`)
  })
  return await Promise.all(found.map((spec) => headingLines(spec, { flags, root: dir, options })))
}

interface LineContext {
  readonly flags: RunFlags
  readonly root: string
  readonly options: ResolvedOptions
}

/** A line selects its step or, for a recording, the whole scenario. @throws {SetUpError} if no step has the line */
async function headingLines({ file, lines }: FoundSpec, { flags, root, options }: LineContext): Promise<FoundSpec> {
  if (!lines) return { file }
  // Load the large parser only if lines are given, which is rare.
  const { readSpec } = await import('../../plan/read-spec.ts')
  const { headingLineAt, scenarioLineAt } = await import('../../plan/heading-line.ts')
  const { spec } = readSpec(await readFile(file), { file, root, options, commandLine: flags.settings })
  const headings = lines.map((line) => {
    const found = headingLineAt(spec, line)
    if (found !== undefined) return flags.record === undefined ? found : scenarioLineAt(spec, line)
    const name = relative(root, file)
    const list = commandFor(['list', name], flags.settings.agent)
    throw new SetUpError(`${name} has no step at line ${line}. \`${list}\` shows the line of each.`)
  })
  const known = headings.filter((heading) => heading !== undefined)
  return known.length < headings.length ? { file } : { file, lines: [...new Set(known)] }
}

const reporters = ['default', 'verbose', 'dot', 'json', 'junit', 'tap', 'tap-flat', 'tree', 'html', 'github-actions']

/** Replaces Vitest's error for an unknown reporter, which shows paths inside Vitest. */
function withoutReporter(error: unknown): unknown {
  const [, name] = /^Failed to load custom Reporter from (.+)$/.exec(messageOf(error)) ?? []
  if (name === undefined) return error
  const known = `Vitest has ${reporters.join(', ')}; any other name is a module that is installed.`
  return new SetUpError(`There is no reporter \`${name}\`.${didYouMean(name, reporters)} ${known}`)
}

async function conclude(result: Started, context: RunContext): Promise<number> {
  const { flags, cli } = context
  const { options, specs } = result
  if (cli.signal.aborted) return interruptedBy(cli.signal)
  if (options !== undefined) {
    for (const { file } of specs.filter(({ isMissing }) => isMissing))
      cli.stderr.write(await whyNotRun(file, { flags, root: context.dir, options }))
  }
  const executed = specs.filter(({ outcome }) => outcome !== 'skipped')
  const hasFailed = executed.some(({ outcome }) => outcome !== 'pass') || result.unhandledErrors > 0
  if (specs.length === 0 && flags.changed !== undefined && !hasFailed) {
    cli.stdout.write('No spec is affected by the changes.\n')
    return exitCodes.run.passed
  }
  if (executed.length === 0 && !hasFailed)
    return endWithoutTests(context, { sentence: `No test ran: ${whyNothing(flags, result)}`, specs })
  printSummary(specs, context)
  return exitCodes.run[hasFailed || isUnrecorded(result, flags) ? 'failed' : 'passed']
}

async function whyNotRun(file: string, { flags, root, options }: LineContext): Promise<string> {
  const head = `mdtest: ${relative(root, file)} did not run:`
  const bytes = await readFile(file).catch(describeFileError)
  if (typeof bytes === 'string') {
    const target = await readlink(file).catch(() => undefined)
    if (target === undefined) return `${head} it cannot be read: ${bytes}. Make it readable, or remove it.\n`
    const fault = statsOf(file) ? `which cannot be read: ${bytes}` : 'which is not there'
    return `${head} it is a link to \`${target}\`, ${fault}. Correct the link, or delete it.\n`
  }
  const { planSpec } = await import('../../plan/plan-spec.ts')
  const planned = planSpec(bytes, { file, root, options, commandLine: flags.settings })
  if (planned.ok) return `${head} see the errors above.\n`
  const { formatProblems } = await import('../../spec/problems.ts')
  const { problems, included } = planned
  return `${head}\n${formatProblems(problems, { text: bytes.toString('utf8'), included, root })}\n`
}

function isUnrecorded({ recordings }: RunSpecsResult, { record }: RunFlags): boolean {
  if (record === undefined) return false
  return recordings.some(({ refusals, problem, before, after, isWritten }) => {
    return refusals.length > 0 || problem !== undefined || (before !== after && !isWritten)
  })
}

function whyNothing({ testNamePattern, tagsFilter = [], paths, settings }: RunFlags, { tags }: RunSpecsResult): string {
  const { change, agent } = settings
  const ofChange = change === undefined ? [] : ['--change', quoteWord(change)]
  const list = `\`${commandFor(['list', ...paths, ...ofChange], agent)}\``
  if (testNamePattern !== undefined)
    return `no title matches \`${testNamePattern}\`, or all that match were skipped; ${list} shows all titles.`
  const [unknown] = tags.unknown
  if (unknown !== undefined) {
    const others = tags.known.length === 0 ? 'No spec has any tag.' : `Known tags: ${tags.known.join(', ')}.`
    return `no step has the tag \`${unknown}\`.${didYouMean(unknown, tags.known)} ${others}`
  }
  if (tagsFilter.length > 0)
    return `no step has the tags \`${tagsFilter.join(' ')}\`, or all that have them were skipped; ${list} shows them.`
  return 'all were skipped.'
}

function endWithoutTests(
  context: RunContext,
  { sentence, specs }: { readonly sentence: string; readonly specs: readonly SpecResult[] },
): number {
  if (!context.flags.passWithNoTests)
    throw new SetUpError(`${sentence} To count that as success, pass \`--pass-with-no-tests\`.`)
  printSummary(specs, context)
  return exitCodes.run.passed
}

/** Prints a line such as `3 passed, 1 failed, 1 skipped`: to stderr if a reporter writes to stdout. */
function printSummary(specs: readonly SpecResult[], { flags, cli }: RunContext): void {
  const count = (outcome: SpecResult['outcome'], word: string): string =>
    `${specs.filter((spec) => spec.outcome === outcome).length} ${word}`
  const rare = [count('blocked', 'blocked'), count('skipped', 'skipped')].filter((text) => !text.startsWith('0 '))
  const out = flags.outputFile === undefined && ownsStdout(flags.reporters ?? []) ? cli.stderr : cli.stdout
  out.write(`${[count('pass', 'passed'), count('fail', 'failed'), ...rare].join(', ')}\n`)
}

/** Lets a blank match ` > `, too: Vitest 4 joins titles with a blank, Vitest 5 with ` > `. Skips `[ … ]`. */
export function namePattern(pattern: string): string {
  return pattern.replaceAll(/(\[(?:\\.|[^\]\\])*\])| > | /g, (_match, brackets?: string) => brackets ?? '(?: > | )')
}
