import { readFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { CliAgent } from '../../agents/agent.ts'
import type { BrowserSettings } from '../../agents/browser/browser-settings.ts'
import { checkSetUp } from '../../agents/browser/check-set-up.ts'
import { withEnvFile } from '../../agents/browser/read-env-file.ts'
import { resolveSpecAgent } from '../../agents/resolve-spec-agent.ts'
import { leftOutReasons } from '../../options/left-out.ts'
import { stepsOf, type Spec } from '../../spec/spec.ts'
import { planSpec } from '../../suite/plan-spec.ts'
import type { SpecsConfig } from '../../suite/specs-config.ts'
import { SetUpError } from '../set-up-error.ts'
import { withLiveTrees } from '../with-live-trees.ts'

interface FindContext {
  readonly cwd: string
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly stderr: Writable
}

/**
 * The agents that the specs of a run need, found with all that they need themselves before anything runs.
 * @throws {SetUpError} that names a missing one.
 * @throws {MdtestError} that names what a browser spec lacks.
 */
export async function findAgents(
  specs: readonly { readonly file: string }[],
  config: SpecsConfig,
  { cwd, root, env, stderr }: FindContext,
): Promise<readonly CliAgent[]> {
  const needed = await neededAgents(specs, config, { root, env })
  const names = new Set(needed.map(({ agent }) => agent))
  const agents = [...names].map((name) => {
    const resolved = resolveSpecAgent(name, { option: config.options.agent, path: env.PATH ?? '', cwd })
    if (!resolved.ok) throw new SetUpError(resolved.error.message)
    return resolved.agent
  })
  const browsers = needed.filter(({ agent }) => agent === 'browser')
  const distinct = new Map(browsers.map(({ browser }) => [JSON.stringify(browser), browser]))
  if (distinct.size === 0) return agents
  const tell = (sentence: string): void => void stderr.write(`mdtest: ${sentence}\n`)
  await withLiveTrees(async ({ trees }) => {
    for (const settings of distinct.values()) await checkSetUp(settings, withEnvFile(env, root), { trees, tell })
  })
  return agents
}

interface NeededAgent {
  readonly agent: string
  readonly browser: BrowserSettings
}

async function neededAgents(
  specs: readonly { readonly file: string }[],
  config: SpecsConfig,
  { root, env }: Pick<FindContext, 'root' | 'env'>,
): Promise<readonly NeededAgent[]> {
  const needed = await Promise.all(
    specs.map(async ({ file }) => {
      // A spec with problems, or one that cannot be read, is reported when it is run.
      const bytes = await readFile(file).catch(() => undefined)
      if (bytes === undefined) return []
      const planned = planSpec(bytes, { file, root, ...config })
      if (!planned.ok) return []
      const { spec, settings } = planned.plan
      const isRun = leftOutReasons(spec, { settings, root, env }).length === 0
      return isRun && needsAgent(spec) ? [{ agent: spec.agent, browser: settings.browser }] : []
    }),
  )
  return needed.flat()
}

function needsAgent(spec: Spec): boolean {
  return spec.scenarios.some((scenario) => stepsOf(scenario).some((step) => step.actor === 'agent'))
}
