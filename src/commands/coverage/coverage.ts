import { relative, join } from 'node:path'
import {
  summarizeCoverage,
  type CoverageSummary,
  roundPercent,
  toldStates,
  wordOf,
  type CoveredRequirement,
  type CoveredScenario,
  type CoveredSpec,
  type Proof,
} from '../../coverage/coverage.ts'
import { readCoverage, type Coverage } from '../../coverage/read-coverage.ts'
import { assurances } from '../../records/outcome.ts'
import { formatProblems } from '../../spec/problems.ts'
import { placesFrom } from '../../plan/dialect-of.ts'
import { ownCommand } from '../../system/own-package.ts'
import { plainJson, plainText, plainLine } from '../../system/text/plain-text.ts'
import type { CliContext } from '../common/cli-context.ts'
import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { wholeSpecs } from '../common/find-specs.ts'
import { oneOf, percentage } from '../common/flag-readers.ts'
import { formatHelp, parseFlags } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { includeFlag, suiteRootFlag } from '../common/shared-flags.ts'
import { createPalette, hasColors, indent, type Palette } from '../common/styled-text.ts'
import { suiteOptions, suiteRoot } from '../common/suite.ts'
import { plural } from '../../system/text/wording.ts'

/**
 * `mdtest coverage`: tells of each requirement how well it is proved.
 * @throws {SetUpError} if there is no requirement, or the configuration cannot be loaded.
 */
export async function coverage(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const flags = parseCoverageFlags(args)
  if (flags.help) {
    cli.stdout.write(formatHelp(coverageSyntax))
    return { command: 'coverage', end: 'done' }
  }
  const root = await suiteRoot(flags.dir, cli.cwd)
  const options = await suiteOptions(root)
  const include = flags.include ?? [...options.include, ...placesFrom(root)]
  const files = await wholeSpecs(flags.paths, { command: 'coverage', root, cwd: cli.cwd, include })
  const read = await readCoverage(files, { root, options }, { withChanges: flags.paths.length > 0 })
  if (read.specs.length + read.unread.length === 0) throw nothingThere(root)
  const summary = summarizeCoverage(read.specs, flags.assurance)
  const isTooLow = 100 * summary.covered < (flags.failUnder ?? 0) * summary.requirements
  print(read, { summary, flags, root, cli })
  if (isTooLow) cli.stderr.write(`mdtest: The coverage is below ${flags.failUnder} %.\n`)
  return { command: 'coverage', end: read.unread.length > 0 ? 'problems' : isTooLow ? 'too-low' : 'done' }
}

interface Printed {
  readonly summary: CoverageSummary
  readonly flags: CoverageFlags
  readonly root: string
  readonly cli: CliContext
}

function print({ specs, unread }: Coverage, { summary, flags, root, cli }: Printed): void {
  const { stdout, stderr, cwd, env } = cli
  const told = { summary, specs, unread: unread.map(({ file, problems }) => ({ spec: file, problems })) }
  if (flags.json) stdout.write(`${plainJson(JSON.stringify(told, undefined, 2))}\n`)
  else {
    const from = relative(cwd, root)
    stdout.write(formatCoverage(specs, { summary, from, palette: createPalette(hasColors(stdout, env)) }))
  }
  for (const { file, problems, ...texts } of unread) {
    const report = `${relative(cwd, file)} has problems:\n${formatProblems(problems, { ...texts, root })}`
    stderr.write(`mdtest: ${plainText(report)}\n`)
  }
}

function nothingThere(root: string): SetUpError {
  return new SetUpError(
    `There is no spec with requirements under ${root}. Specs of OpenSpec and Spec Kit and features have some: \`${ownCommand} docs coverage\`.`,
  )
}

export const coverageSyntax = {
  command: 'coverage',
  usage: ['[specs…] [options]'],
  about: `Tells of each requirement how well it is proved: requirements of OpenSpec, user stories and requirements of Spec Kit,
rules and features of Gherkin. What counts is what became of their scenarios last. Without specs: of all there are.`,
  flags: {
    failUnder: {
      flag: 'fail-under',
      value: 'PERCENT',
      read: percentage,
      summary: 'exit with 1 where fewer requirements are covered',
    },
    assurance: {
      flag: 'assurance',
      value: 'LEVEL',
      read: oneOf(assurances),
      summary: 'the weakest that counts as covered (default: evidenced)',
    },
    dir: suiteRootFlag,
    include: includeFlag,
    json: { flag: 'json', summary: 'as JSON' },
  },
  examples: ['', '--json'],
  exitCodes:
    '0 done, 1 below --fail-under, or a spec has problems, 2 there is no requirement, or no configuration can be loaded.',
} satisfies CommandSyntax

/** `mdtest coverage`, as asked for on the command line. */
type CoverageFlags = FlagValues<typeof coverageSyntax> & { readonly paths: readonly string[] }

/**
 * Reads the arguments after `mdtest coverage`.
 * @throws {SetUpError} for an unknown flag.
 */
function parseCoverageFlags(args: readonly string[]): CoverageFlags {
  const { values, positionals } = parseFlags(args, coverageSyntax)
  return { ...values, paths: positionals }
}

/** How coverage is printed. */
interface Style {
  readonly summary: CoverageSummary
  /** The suite root, relative to where the command runs. */
  readonly from: string
  readonly palette: Palette
}

/** The requirements of all specs as text, each with its scenarios, and the numbers at the end. */
function formatCoverage(specs: readonly CoveredSpec[], { summary, from, palette }: Style): string {
  const blocks = specs.map(({ spec, requirements }) => [
    palette.bold(plainLine(join(from, spec))),
    ...indent(requirements.flatMap((requirement) => formatRequirement(requirement, palette))),
    '',
  ])
  return [...blocks.flat(), ...formatSummary(summary), ''].join('\n')
}

function formatRequirement(requirement: CoveredRequirement, palette: Palette): readonly string[] {
  const { title, text, scenarios } = requirement
  const named = plainLine(text === undefined ? title : `${title} ${text}`)
  return [
    `${stateOf(requirement, palette)} ${named} ${palette.dim(`:${requirement.line}`)}`,
    ...indent(
      scenarios.length === 0
        ? [palette.dim('no scenario')]
        : scenarios.map((scenario) => formatScenario(scenario, palette)),
    ),
  ]
}

function formatScenario(scenario: CoveredScenario, palette: Palette): string {
  const { title, line, endedAt, agent } = scenario
  const facts = [`:${line}`, ...(endedAt === undefined ? [] : [endedAt]), ...(agent === undefined ? [] : [agent])]
  return `${stateOf(scenario, palette)} ${plainLine(title)} ${palette.dim(facts.join(' '))}`
}

function stateOf(proof: Proof, palette: Palette): string {
  const { state, isStale } = proof
  const word = wordOf(proof)
  if (state === 'failed' || state === 'blocked') return palette.red(word)
  return state === 'never-run' || isStale ? palette.yellow(word) : palette.green(word)
}

function formatSummary({
  requirements,
  states,
  stale,
  assurance,
  covered,
  ...more
}: CoverageSummary): readonly string[] {
  const counts = toldStates.filter((state) => states[state] > 0).map((state) => `${states[state]} ${wordOf({ state })}`)
  return [
    [`${plural(requirements, 'requirement')}: ${counts.join(', ')}`, ...(stale > 0 ? [`${stale} stale`] : [])].join(
      '; ',
    ),
    `covered: ${covered} of ${requirements} (${roundPercent(more)} %), at least ${assurance} and not stale`,
  ]
}
