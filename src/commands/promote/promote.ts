import { relative } from 'node:path'
import { specFilter } from '../common/asked-specs.ts'
import { formatPatterns, namedSpecs, type FoundSpec } from '../common/find-specs.ts'
import type { CliContext } from '../common/cli-context.ts'
import type { CommandSyntax } from '../common/command-syntax.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { formatHelp } from '../common/format-help.ts'
import { parseFlags } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { agentFlag, includeFlag, suiteRootFlag } from '../common/shared-flags.ts'
import { suiteOptions, suiteRoot } from '../common/suite.ts'
import { unifiedDiff } from '../../recordings/unified-diff.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { playwrightTest, usesBrowser } from './playwright-test.ts'
import { planPromotion, type Promotion } from './plan-promotion.ts'
import { writeWhole } from './write-whole.ts'

export const promoteSyntax = {
  command: 'promote',
  usage: ['SPEC[:LINE]… [options]'],
  about: `Moves the recorded blocks of steps into the spec: mdtest carries them out from then on, and no agent is needed. What
the steps say stays as documentation. With a line: of the step there, else of all. Shows what changed.`,
  flags: {
    agent: agentFlag,
    dir: suiteRootFlag,
    include: includeFlag,
    as: {
      flag: 'as',
      value: 'NAME',
      summary: 'what the blocks become: `blocks` (default), or `playwright`: a test is printed, nothing is written',
    },
    dryRun: { flag: 'dry-run', summary: 'show what would be done, and do nothing' },
  },
  exitCodes:
    '0 done, also where no step needs an agent, 1 a step cannot be promoted: nothing was written, 2 no such spec.',
} satisfies CommandSyntax

/** What recorded blocks can become, by the value of `--as`. */
const forms: readonly string[] = ['blocks', 'playwright']

/**
 * `mdtest promote`: recorded blocks become part of the spec.
 * @throws {SetUpError} if there is no such spec, or the configuration cannot be loaded.
 */
export async function promote(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const { values: flags, positionals } = parseFlags(args, promoteSyntax)
  if (flags.help) {
    cli.stdout.write(formatHelp(promoteSyntax))
    return { command: 'promote', end: 'done' }
  }
  const form = flags.as ?? 'blocks'
  if (!forms.includes(form))
    throw new SetUpError(`\`--as ${form}\`: there is no such form. Known: ${forms.join(', ')}.`)
  const root = await suiteRoot(flags.dir, cli.cwd)
  const options = await suiteOptions(root)
  const filter = specFilter({ ...flags, paths: positionals }, { options, root, stderr: cli.stderr })
  const specs = await namedOrNone(positionals, { dir: root, cwd: cli.cwd, ...filter })
  const isPrinted = form === 'playwright'
  const plans = specs.map((spec) => planPromotion(spec, { root, options, agent: flags.agent, isPrinted }))
  const problems = plans.flatMap((plan) => (plan.ok ? [] : plan.problems))
  const promotions = plans.filter((plan) => plan.ok)
  const changes = promotions.flatMap((plan) => plan.changes)
  if (isPrinted) problems.push(...promotions.flatMap((promotion) => withoutBrowser(promotion, root)))
  const failed = problems.length > 0 || flags.dryRun || isPrinted ? undefined : writeWhole(changes, root)
  const all = failed === undefined ? problems : [failed]
  if (all.length > 0) {
    cli.stderr.write(`mdtest: Nothing was promoted.\n${plainText(all.join('\n'))}\n`)
    return { command: 'promote', end: 'problems' }
  }
  if (isPrinted) {
    cli.stdout.write(plainText(playwrightTest(promotions.map((one) => ({ ...one, name: relative(root, one.file) })))))
    return { command: 'promote', end: 'done' }
  }
  cli.stdout.write(`${plainText(describe(promotions, { cwd: cli.cwd, isDone: !flags.dryRun }).join('\n'))}\n`)
  return { command: 'promote', end: 'done' }
}

/** A test that does nothing would pass. */
function withoutBrowser({ file, scenarios }: Promotion, root: string): readonly string[] {
  if (scenarios.some(usesBrowser)) return []
  return [`${relative(root, file)}: no \`browser\` block is recorded of these steps. Promote them without \`--as\`.`]
}

async function namedOrNone(
  paths: readonly string[],
  context: Parameters<typeof namedSpecs>[1] & { readonly include: readonly string[] },
): Promise<readonly FoundSpec[]> {
  if (paths.length > 0) return namedSpecs(paths, context)
  throw new SetUpError(`Name the spec to promote, ${formatPatterns(context.include)}, or a step of it: SPEC:LINE.`)
}

function describe(
  promotions: readonly Promotion[],
  { cwd, isDone }: { readonly cwd: string; readonly isDone: boolean },
): readonly string[] {
  return promotions.flatMap(({ file, steps, changes }) => {
    const name = relative(cwd, file)
    if (steps.length === 0) return [`Nothing to do: no agent carries out a step of ${name}.`]
    const told = steps.map(({ line, title }) => `${isDone ? 'promoted' : 'would promote'} ${name}:${line} "${title}"`)
    const diffs = changes.flatMap(({ file: changed, before, after }) => {
      const path = relative(cwd, changed)
      if (after === '') return [`${isDone ? 'removed' : 'would remove'} ${path}: nothing is left in it`]
      return unifiedDiff({ before, after }, path)
    })
    return [...told, ...diffs]
  })
}
