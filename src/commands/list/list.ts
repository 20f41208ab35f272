import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { planSpec } from '../../plan/plan-spec.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { formatProblems } from '../../spec/problems.ts'
import type { SpecProblem } from '../../spec/spec.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { plainJson, plainText } from '../../system/text/plain-text.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { askedSpecs } from '../common/asked-specs.ts'
import { command, flag, type CommandSyntax } from '../common/command.ts'
import { refuseLines } from '../common/find-specs.ts'
import { agentFlag, changeFlag, includeFlag, suiteRootFlag } from '../common/flags.ts'
import { createPalette, hasColors } from '../common/styled-text.ts'
import { suiteOptions, suiteRoot } from '../common/suite.ts'
import { formatSpec } from './format-spec.ts'
import { listSpec, type ListedSpec } from './list-spec.ts'

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
    json: flag('--json', 'as JSON'),
  },
  examples: ['', 'shop.test.md --json'],
  exitCodes:
    '0 done, 1 a spec has problems or cannot be read, 2 there is no such spec, or the configuration cannot be loaded.',
} satisfies CommandSyntax

/**
 * `mdtest list`: prints the plan of specs. Runs nothing of them.
 * @throws {SetUpError} if there is no such spec, or the configuration cannot be loaded.
 */
export const list = command(listSyntax, async (given, cli) => {
  const { cwd, env, stdout, stderr } = cli
  const root = await suiteRoot(given.dir, cwd)
  const options = await suiteOptions(root)
  if (given.change === undefined) refuseLines(given.paths, 'list')
  const specs = await askedSpecs(given, { root, options, cwd, stderr })
  const config = { options, commandLine: withoutUndefined({ agent: given.agent, change: given.change }) }
  const plans = await Promise.all(specs.map(({ file }) => readPlan(file, { root, ...config })))
  const bad = plans.filter((plan) => 'report' in plan)
  if (given.json) stdout.write(`${plainJson(JSON.stringify(plans, undefined, 2))}\n`)
  else {
    const style = { cwd, palette: createPalette(hasColors(stdout, env)) }
    const good = plans.flatMap((plan) => ('report' in plan ? [] : [formatSpec(plan, style)]))
    stdout.write(good.join('\n'))
    for (const { report } of bad) stderr.write(`mdtest: ${plainText(report)}\n`)
  }
  return { command: 'list', end: bad.length > 0 ? 'problems' : 'done' }
})

interface BadSpec {
  readonly spec: string
  /** Empty where the file cannot be read. */
  readonly problems: readonly SpecProblem[]
  /** The same for people, with the lines they are about. */
  readonly report: string
}

type PlanContext = Pick<SpecsConfig, 'options' | 'commandLine'> & { readonly root: string }

async function readPlan(file: string, context: PlanContext): Promise<ListedSpec | BadSpec> {
  const { root } = context
  const name = relative(root, file)
  const bytes = await readFile(file).catch(describeFileError)
  if (typeof bytes === 'string') return { spec: file, problems: [], report: `${name} cannot be read: ${bytes}.` }
  const planned = planSpec(bytes, { file, ...context })
  if (planned.ok) return listSpec(planned.plan, planned.recordingsOf)
  const { problems, included } = planned
  const report = `${name} has problems:\n${formatProblems(problems, { text: bytes.toString('utf8'), included, root })}`
  return { spec: file, problems, report }
}
