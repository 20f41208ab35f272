import { relative, join } from 'node:path'
import { roundPercent, summarizeCoverage, toldStates, wordOf } from '../../coverage/compute-coverage.ts'
import type { CoverageSummary, CoveredRequirement, CoveredSpec, Proof } from '../../coverage/compute-coverage.ts'
import { readCoverage } from '../../coverage/read-coverage.ts'
import { placesFrom } from '../../plan/dialect-of.ts'
import { assurances } from '../../records/outcome.ts'
import { formatProblems } from '../../spec/problems.ts'
import { ownCommand } from '../../system/mdtest-package.ts'
import { plainJson, plainLine, plainText } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/wording.ts'
import { command, flag, type CommandSyntax } from '../common/define-command.ts'
import { wholeSpecs } from '../common/find-specs.ts'
import { includeFlag, oneOf, percentage, suiteRootFlag } from '../common/flags.ts'
import { exitCodes, SetUpError } from '../common/cli.ts'
import { createPalette, hasColors, indent, type Palette } from '../common/styled-text.ts'
import { suiteOptions, suiteRoot } from '../common/suite.ts'

export const coverageSyntax = {
  command: 'coverage',
  usage: ['[specs…] [options]'],
  about: `Shows how well each requirement is proved: requirements of OpenSpec, user stories and requirements of Spec Kit,
rules and features of Gherkin. Uses the latest results of their scenarios. Without arguments it covers all specs.`,
  flags: {
    failUnder: flag('--fail-under PERCENT', 'exit with 1 if fewer requirements are covered', { read: percentage }),
    assurance: flag('--assurance LEVEL', 'lowest assurance that counts as covered (default: evidenced)', {
      read: oneOf(assurances),
    }),
    dir: suiteRootFlag,
    include: includeFlag,
    json: flag('--json', 'print JSON'),
  },
  examples: ['', '--json'],
  exitCodes:
    '0 done, 1 below --fail-under, or a spec is invalid, 2 there is no requirement, or the configuration cannot be loaded.',
} satisfies CommandSyntax

export const coverage = command(coverageSyntax, async (given, { cwd, env, stdout, stderr }) => {
  const { paths, failUnder = 0 } = given
  const root = await suiteRoot(given.dir, cwd)
  const options = await suiteOptions(root)
  const include = given.include ?? [...options.include, ...placesFrom(root)]
  const files = await wholeSpecs(paths, { command: 'coverage', dir: root, cwd, include })
  const { specs, unread } = await readCoverage(files, { root, options }, { withChanges: paths.length > 0 })
  if (specs.length + unread.length === 0)
    throw new SetUpError(
      `There is no spec with requirements under ${root}. Specs of OpenSpec and Spec Kit and features have some: \`${ownCommand} docs coverage\`.`,
    )
  const summary = summarizeCoverage(specs, given.assurance)
  if (given.json) {
    const told = { summary, specs, unread: unread.map(({ file, problems }) => ({ spec: file, problems })) }
    stdout.write(`${plainJson(JSON.stringify(told, undefined, 2))}\n`)
  } else {
    const palette = createPalette(hasColors(stdout, env))
    const lines = specs.flatMap((spec) => formatSpec(spec, { from: relative(cwd, root), palette }))
    stdout.write([...lines, ...formatSummary(summary), ''].join('\n'))
  }
  for (const { file, problems, ...texts } of unread) {
    const report = `${relative(cwd, file)} has problems:\n${formatProblems(problems, { ...texts, root })}`
    stderr.write(`mdtest: ${plainText(report)}\n`)
  }
  const isTooLow = 100 * summary.covered < failUnder * summary.requirements
  if (isTooLow) stderr.write(`mdtest: The coverage is below ${failUnder} %.\n`)
  return exitCodes.coverage[unread.length > 0 ? 'problems' : isTooLow ? 'too-low' : 'done']
})

function formatSpec(
  { spec, requirements }: CoveredSpec,
  { from, palette }: { readonly from: string; readonly palette: Palette },
): readonly string[] {
  const inner = requirements.flatMap((requirement) => formatRequirement(requirement, palette))
  return [palette.bold(plainLine(join(from, spec))), ...indent(inner), '']
}

function formatRequirement(requirement: CoveredRequirement, palette: Palette): readonly string[] {
  const { title, text, line, scenarios } = requirement
  const named = plainLine(text === undefined ? title : `${title} ${text}`)
  const told = scenarios.map((scenario) => {
    const { endedAt, agent } = scenario
    const facts = [`:${scenario.line}`, endedAt, agent].filter((fact) => fact !== undefined)
    return `${paintState(scenario, palette)} ${plainLine(scenario.title)} ${palette.dim(facts.join(' '))}`
  })
  const head = `${paintState(requirement, palette)} ${named} ${palette.dim(`:${line}`)}`
  return [head, ...indent(told.length === 0 ? [palette.dim('no scenario')] : told)]
}

function paintState(proof: Proof, { red, yellow, green }: Palette): string {
  const { state, isStale } = proof
  if (state === 'failed' || state === 'blocked') return red(wordOf(proof))
  return state === 'never-run' || isStale ? yellow(wordOf(proof)) : green(wordOf(proof))
}

function formatSummary(summary: CoverageSummary): readonly string[] {
  const { requirements, states, stale, assurance, covered } = summary
  const counts = toldStates.filter((state) => states[state] > 0).map((state) => `${states[state]} ${wordOf({ state })}`)
  return [
    `${plural(requirements, 'requirement')}: ${counts.join(', ')}${stale > 0 ? `; ${stale} stale` : ''}`,
    `covered: ${covered} of ${requirements} (${roundPercent(summary)} %), at least ${assurance} and not stale`,
  ]
}
