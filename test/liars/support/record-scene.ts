import { connectHost } from '../../../src/host/server/connect-host.ts'
import { createHost } from '../../../src/host/server/host.ts'
import { resolveOptions } from '../../../src/plan/options/resolve-options.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { stepsOf } from '../../../src/spec/spec.ts'
import { evaluateScenario } from '../../../src/verdict/evaluate-scenario.ts'
import type { ScenarioEvidence } from '../../../src/verdict/verdict.ts'
import { planSpec } from '../../../src/plan/plan-spec.ts'
import { vi } from 'vitest'
import { fewAtOnce } from './few-at-once.ts'
import { specOf } from './load-scenes.ts'
import { createSceneProject } from './projects.ts'
import type { Scene } from './scene.ts'

/** How many agents are at work at once. */
const width = 4

/** Runs all agents, a few at a time. `evaluateScenario` has to be spied on. */
export async function recordAll(
  scenes: readonly Scene[],
): Promise<readonly (readonly [scene: Scene, evidence: ScenarioEvidence])[]> {
  return fewAtOnce(scenes, width, async (scene) => [scene, await recordScene(scene)] as const) // a pair
}

/**
 * Runs one agent in this process, as a worker and the main process would do together, and gives what its verdict was
 * computed from.
 */
async function recordScene(scene: Scene): Promise<ScenarioEvidence> {
  await using made = await createSceneProject([scene])
  const { project, agent } = made
  const root = project.dir
  const { PATH = '', HOME = '', TMPDIR = process.env.TMPDIR ?? '/tmp' } = { HOME: process.env.HOME, ...made.env }
  const env = { ...made.env, PATH, HOME, TMPDIR }
  const options = resolveOptions({ agent })
  const file = project.path(specOf(scene.name))
  const planned = planSpec(await project.read(specOf(scene.name)), { file, root, options, commandLine: {} })
  if (!planned.ok) throw new Error(`${file}: ${planned.problems.map(({ message }) => message).join('\n')}`)
  const { spec, settings, hashes } = planned.plan
  const [scenario] = spec.scenarios
  if (scenario === undefined) throw new Error(`${file} has no scenario.`)
  const steps = stepsOf(scenario)
  const host = await createHost({ agent, env, now: () => new Date(), maxAgents: 1, runBudget: {} })
  try {
    const selected = new Set(steps.map(({ ordinal }) => ordinal))
    const client = connectHost(host.address)
    const run = new ScenarioRun({ spec, scenario, hashes, settings, root, env, host: client, attempt: 1, selected })
    for (const { ordinal } of steps) await run.settle(ordinal, new AbortController().signal)
    await run.finish()
    const isOurs = ({ steps: [first] }: ScenarioEvidence): boolean => first?.checks === steps[0]?.checks
    const seen = vi
      .mocked(evaluateScenario)
      .mock.calls.map(([evidence]) => evidence)
      .findLast(isOurs)
    if (seen === undefined) throw new Error(`${file} was never judged.`)
    return seen
  } finally {
    await host.close()
  }
}
