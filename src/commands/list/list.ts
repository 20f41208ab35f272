import { plainJson, plainText } from '../../system/text/plain-text.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { specFilter } from '../common/asked-specs.ts'
import { noSpecsOf, specsOfChange } from '../common/find-change.ts'
import { formatPatterns, wholeSpecs } from '../common/find-specs.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { createPalette, hasColors } from '../common/styled-text.ts'
import { suiteOptions, suiteRoot } from '../common/suite.ts'
import type { CliContext } from '../common/cli-context.ts'
import { formatHelp, parseFlags } from '../common/parse-flags.ts'
import { formatSpec } from './format-spec.ts'
import { type BadSpec, type ListedSpec, listSpec } from './list-spec.ts'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { ResolvedOptions } from '../../plan/options/resolve-options.ts'
import type { CommandLine } from '../../plan/options/spec-settings.ts'
import { formatProblems } from '../../spec/problems.ts'
import { planSpec } from '../../plan/plan-spec.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { agentFlag, changeFlag, includeFlag, suiteRootFlag } from '../common/shared-flags.ts'

/**
 * `mdtest list`: prints the plan of specs. Runs nothing of them.
 * @throws {SetUpError} if there is no such spec, or the configuration cannot be loaded.
 */
export async function list(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const flags = parseListFlags(args)
  if (flags.help) {
    cli.stdout.write(formatHelp(listSyntax))
    return { command: 'list', end: 'done' }
  }
  const root = await suiteRoot(flags.dir, cli.cwd)
  const options = await suiteOptions(root)
  const files = await filesToList(flags, { root, options, cli })
  const plans = await readPlans(files, {
    root,
    options,
    commandLine: withoutUndefined({ agent: flags.agent, change: flags.change }),
  })
  if (flags.json) cli.stdout.write(`${plainJson(JSON.stringify(plans, undefined, 2))}\n`)
  else print(plans, cli)
  return { command: 'list', end: plans.some(isBad) ? 'problems' : 'done' }
}

interface ListContext {
  readonly root: string
  readonly options: ResolvedOptions
  readonly cli: CliContext
}

async function filesToList(flags: ListFlags, { root, options, cli }: ListContext): Promise<readonly string[]> {
  const { change } = flags
  if (change !== undefined) {
    const specs = await specsOfChange({ ...flags, change }, root)
    if (specs.length === 0) throw new SetUpError(noSpecsOf(change))
    return specs.map(({ file }) => file)
  }
  const { include, onLeftOut } = specFilter(flags, { options, root, stderr: cli.stderr })
  const files = await wholeSpecs(flags.paths, { command: 'list', root, cwd: cli.cwd, include, onLeftOut })
  if (files.length === 0) throw new SetUpError(`There is no spec (${formatPatterns(include)}) under ${root}.`)
  return files
}

function print(plans: readonly (ListedSpec | BadSpec)[], { cwd, env, stdout, stderr }: CliContext): void {
  const palette = createPalette(hasColors(stdout, env))
  const good = plans.flatMap((plan) => (isBad(plan) ? [] : [plan]))
  stdout.write(good.map((plan) => formatSpec(plan, { cwd, palette })).join('\n'))
  for (const { report } of plans.filter(isBad)) stderr.write(`mdtest: ${plainText(report)}\n`)
}

function isBad(plan: ListedSpec | BadSpec): plan is BadSpec {
  return 'report' in plan
}

interface ReadInput {
  readonly root: string
  /** Those that a run would have. */
  readonly options: ResolvedOptions
  readonly commandLine: CommandLine
}

/** Plans specs, in the order given. */
function readPlans(files: readonly string[], input: ReadInput): Promise<readonly (ListedSpec | BadSpec)[]> {
  return Promise.all(files.map((file) => readPlan(file, input)))
}

async function readPlan(file: string, { root, options, commandLine }: ReadInput): Promise<ListedSpec | BadSpec> {
  const name = relative(root, file)
  const bytes = await readFile(file).catch(describeFileError)
  if (typeof bytes === 'string') return { spec: file, problems: [], report: `${name} cannot be read: ${bytes}.` }
  const planned = planSpec(bytes, { file, root, options, commandLine })
  if (!planned.ok) {
    const { problems, included } = planned
    const text = bytes.toString('utf8')
    return {
      spec: file,
      problems,
      report: `${name} has problems:\n${formatProblems(problems, { text, included, root })}`,
    }
  }
  return listSpec(planned.plan, planned.recordingsOf)
}

export const listSyntax = {
  command: 'list',
  usage: ['[specs…] [options]'],
  about: `Prints the plan of specs (*.test.md, with --agent browser *.md) without running anything: scenarios and steps
with their lines, and who does what: [agent], [sh], [console], [ts], [js], [file], or nobody: [todo], [skip]. Without
specs: of all there are.`,
  flags: {
    agent: agentFlag,
    dir: suiteRootFlag,
    include: includeFlag,
    change: changeFlag,
    json: { flag: 'json', summary: 'as JSON' },
  },
  examples: ['', 'shop.test.md --json'],
  exitCodes:
    '0 done, 1 a spec has problems or cannot be read, 2 there is no such spec, or the configuration cannot be loaded.',
} satisfies CommandSyntax

/** `mdtest list`, as asked for on the command line. */
type ListFlags = FlagValues<typeof listSyntax> & { readonly paths: readonly string[] }

/**
 * Reads the arguments after `mdtest list`.
 * @throws {SetUpError} for an unknown flag.
 */
function parseListFlags(args: readonly string[]): ListFlags {
  const { values, positionals } = parseFlags(args, listSyntax)
  return { ...values, paths: positionals }
}
