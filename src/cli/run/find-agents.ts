import { readFile } from 'node:fs/promises'
import type { CliAgent } from '../../agents/agent.ts'
import { resolveSpecAgent } from '../../agents/resolve-spec-agent.ts'
import { leftOutReasons } from '../../options/left-out.ts'
import { stepsOf, type Spec } from '../../spec/spec.ts'
import { planSpec } from '../../suite/plan-spec.ts'
import type { SpecsConfig } from '../../suite/specs-config.ts'
import { SetUpError } from '../set-up-error.ts'

/**
 * The agents that the specs of a run need, found before anything runs.
 * @throws {SetUpError} that names a missing one.
 */
export async function findAgents(
  specs: readonly { readonly file: string }[],
  config: SpecsConfig,
  { cwd, root, env }: { readonly cwd: string; readonly root: string; readonly env: NodeJS.ProcessEnv },
): Promise<readonly CliAgent[]> {
  const names = await neededAgents(specs, config, { root, env })
  return [...names].map((name) => {
    const resolved = resolveSpecAgent(name, { option: config.options.agent, path: env.PATH ?? '', cwd })
    if (!resolved.ok) throw new SetUpError(resolved.error.message)
    return resolved.agent
  })
}

async function neededAgents(
  specs: readonly { readonly file: string }[],
  config: SpecsConfig,
  { root, env }: { readonly root: string; readonly env: NodeJS.ProcessEnv },
): Promise<ReadonlySet<string>> {
  const names = await Promise.all(
    specs.map(async ({ file }) => {
      // A spec with problems, or one that cannot be read, is reported when it is run.
      const bytes = await readFile(file).catch(() => undefined)
      if (bytes === undefined) return []
      const planned = planSpec(bytes, { file, root, ...config })
      if (!planned.ok) return []
      const { spec, settings } = planned.plan
      const isRun = leftOutReasons(spec, { settings, root, env }).length === 0
      return isRun && needsAgent(spec) ? [spec.agent] : []
    }),
  )
  return new Set(names.flat())
}

function needsAgent(spec: Spec): boolean {
  return spec.scenarios.some((scenario) => stepsOf(scenario).some((step) => step.actor === 'agent'))
}
