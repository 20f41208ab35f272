import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { CliAgent } from '../../agents/agent.ts'
import type { BrowserSettings } from '../../agents/browser/browser-settings.ts'
import { Browsers } from '../../agents/browser/browsers.ts'
import { resolveSpecAgent } from '../../agents/resolve-agent.ts'
import { leftOutReasons } from '../../plan/options/requirements.ts'
import { blocksOf, stepsOf } from '../../spec/spec.ts'
import { scenariosOf } from '../../plan/plan.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { planSpec } from '../../plan/plan-spec.ts'
import { SetUpError, type CliContext } from '../common/cli.ts'

interface FindContext extends Pick<CliContext, 'cwd' | 'env' | 'stderr'> {
  readonly root: string
}

/** Finds the agents of all specs. A spec without its agent is blocked. @throws {SetUpError} if no spec can run */
export async function findAgents(
  specs: readonly { readonly file: string }[],
  config: SpecsConfig,
  { cwd, root, env, stderr }: FindContext,
): Promise<readonly CliAgent[]> {
  const { needed, others, blocks } = await neededAgents(specs, config, { root, env })
  const tell = (sentence: string): void => void stderr.write(`mdtest: ${sentence}\n`)
  const found = new Map<CliAgent, readonly BrowserSettings[]>()
  const missing: { readonly whose: string; readonly why: string }[] = []
  let present = others
  for (const name of new Set(needed.map(({ agent }) => agent))) {
    const own = needed.filter(({ agent }) => agent === name)
    const isCodeAlone = own.every((each) => each.isCodeAlone)
    const resolved = resolveSpecAgent(name, { option: config.options.agent, isCodeAlone, path: env.PATH ?? '', cwd })
    if (resolved.ok) {
      const settings = new Map(own.map(({ browser }) => [JSON.stringify(browser), browser]))
      found.set(resolved.agent, [...settings.values()])
      present += own.length
    } else {
      const whose = `No agent for ${own.map(({ place }) => place).join(', ')}`
      missing.push({ whose, why: resolved.error.message })
    }
  }
  if (missing.length > 0 && present === 0)
    throw new SetUpError(missing.map(({ whose, why }) => `${whose}. ${why}`).join('\n'))
  for (const { whose } of missing) tell(`${whose}: blocked, as reported below.`)
  // Check browsers and other requirements, once for each setting.
  const browsers = new Browsers()
  for (const settings of blocks) await browsers.program(settings, env)
  for (const [agent, settings] of found) {
    for (const browser of settings) await agent.checkSetUp?.({ browser, browsers, root, env })
  }
  return [...found.keys()]
}

interface NeededAgent {
  readonly agent: string
  readonly browser: BrowserSettings
  readonly place: string
  readonly isCodeAlone: boolean
}

async function neededAgents(
  specs: readonly { readonly file: string }[],
  config: SpecsConfig,
  { root, env }: Pick<FindContext, 'root' | 'env'>,
) {
  const needed: NeededAgent[] = []
  const blocks: BrowserSettings[] = []
  let others = 0
  for (const { file } of specs) {
    // Skip a spec that is invalid or unreadable: the run reports the problem.
    const bytes = await readFile(file).catch(() => undefined)
    const planned = bytes && planSpec(bytes, { file, root, ...config })
    if (planned === undefined || !planned.ok) {
      others += 1
      continue
    }
    const { spec, settings, replay } = planned.plan
    const scenarios = scenariosOf(planned.plan)
    if (leftOutReasons(spec, { settings, replay, root, env }).length > 0) continue
    if (scenarios.flatMap(blocksOf).some(({ kind, attributes }) => kind === 'browser' && !attributes.skip))
      blocks.push(settings.browser)
    const steps = scenarios.flatMap(stepsOf).filter(({ actor }) => actor === 'agent')
    const [step] = steps
    if (step === undefined) {
      others += 1
      continue
    }
    const replays = spec.scenarios.flatMap((scenario) => [...(planned.replaysOf?.(scenario).values() ?? [])])
    const stale = replays.includes('stale') ? ' (its recording is stale)' : ''
    const isCodeAlone = steps.every((each) => each.isCodeAlone)
    const place = `${relative(root, file)}:${step.line}${stale}`
    needed.push({ agent: spec.agent, browser: settings.browser, place, isCodeAlone })
  }
  return { needed, others, blocks }
}
