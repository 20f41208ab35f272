import { plainJson, plainText } from '../../system/text/plain-text.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { formatPatterns } from '../common/find-specs.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { createPalette, hasColors } from '../common/palette.ts'
import { suiteOptions } from '../common/suite-options.ts'
import { suiteRoot } from '../common/suite-root.ts'
import type { Surroundings } from '../common/surroundings.ts'
import { wholeSpecs } from '../common/whole-specs.ts'
import { listHelp, parseListFlags, type ListFlags } from './flags.ts'
import { formatTotal } from './format-estimate.ts'
import { formatSpec } from './format-spec.ts'
import type { BadSpec, ListedSpec } from './listed-spec.ts'
import { readPlans } from './read-plans.ts'

/**
 * `mdtest list`: prints the plan of specs. Runs nothing of them.
 * @throws {SetUpError} if there is no such spec, or the configuration cannot be loaded.
 */
export async function list(args: readonly string[], surroundings: Surroundings): Promise<CommandEnding> {
  const flags = parseListFlags(args)
  if (flags.help) {
    surroundings.stdout.write(listHelp)
    return { command: 'list', end: 'done' }
  }
  const root = await suiteRoot(flags.dir, surroundings.cwd)
  const options = await suiteOptions(root)
  const { include } = { ...options, ...flags }
  const files = await wholeSpecs(flags.paths, { command: 'list', root, cwd: surroundings.cwd, include })
  if (files.length === 0) throw new SetUpError(`There is no spec (${formatPatterns(include)}) under ${root}.`)
  const plans = await readPlans(files, { root, cost: flags.cost, options })
  if (flags.json) surroundings.stdout.write(`${plainJson(JSON.stringify(plans, undefined, 2))}\n`)
  else print(plans, flags, surroundings)
  return { command: 'list', end: plans.some(isBad) ? 'problems' : 'done' }
}

function print(
  plans: readonly (ListedSpec | BadSpec)[],
  flags: ListFlags,
  { cwd, env, stdout, stderr }: Surroundings,
): void {
  const palette = createPalette(hasColors(stdout, env))
  const good = plans.flatMap((plan) => (isBad(plan) ? [] : [plan]))
  const total = flags.cost ? [`${formatTotal(good.flatMap(({ estimate }) => estimate ?? []))}\n`] : []
  stdout.write([...good.map((plan) => formatSpec(plan, { cwd, palette })), ...total].join('\n'))
  for (const { report } of plans.filter(isBad)) stderr.write(`mdtest: ${plainText(report)}\n`)
}

function isBad(plan: ListedSpec | BadSpec): plan is BadSpec {
  return 'report' in plan
}
