import { connectHost } from '../../../src/host/server/connect-host.ts'
import { createHost, type Host } from '../../../src/host/server/host.ts'
import { resolveOptions } from '../../../src/plan/options/option-defaults.ts'
import { ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { stepsOf } from '../../../src/spec/spec.ts'
import { evaluateScenario } from '../../../src/verdict/evaluate-scenario.ts'
import type { ScenarioEvidence } from '../../../src/verdict/verdict.ts'
import { planSpec } from '../../../src/plan/plan-spec.ts'
import { vi } from 'vitest'
import { fewAtOnce } from './few-at-once.ts'
import { specOf } from './load-scenes.ts'
import { createPlayedProject, type SceneProject } from './projects.ts'
import type { Scene } from './scene.ts'
import { refuseDebugger } from '../../../src/system/mdtest-package.ts'

/** How many agents are at work at once. */
const width = 4

type Recorded = readonly [scene: Scene, evidence: ScenarioEvidence]

/**
 * Runs agents in this process, as workers and the main process would do together, and gives what their verdicts were
 * computed from, in the order of the scenes. Programs are run as they are; `play-claude.mjs` carries out what a model
 * wants. `evaluateScenario` has to be spied on.
 */
export async function recordAll(scenes: readonly Scene[]): Promise<readonly Recorded[]> {
  // As the plugin does in a worker: one of the scenes would end this process.
  refuseDebugger()
  const hasOwnProject = ({ isAlone, isMissing }: Scene): boolean => isAlone === true || isMissing === true
  const together = await recordGroup(scenes.filter((scene) => !hasOwnProject(scene)))
  const alone = await fewAtOnce(scenes.filter(hasOwnProject), width, (scene) => recordGroup([scene]))
  const recorded = new Map([together, ...alone].flat())
  return [...recorded].toSorted(([one], [other]) => scenes.indexOf(one) - scenes.indexOf(other))
}

/** Runs agents of one project, a few at a time. */
async function recordGroup(scenes: readonly Scene[]): Promise<readonly Recorded[]> {
  await using made = await createPlayedProject(scenes)
  const { agent } = made
  const { PATH = '', HOME = '', TMPDIR = process.env.TMPDIR ?? '/tmp' } = { HOME: process.env.HOME, ...made.env }
  const env = { ...made.env, PATH, HOME, TMPDIR }
  const host = await createHost({ agent, env, now: () => new Date(), maxAgents: width, runBudget: {} })
  try {
    return await fewAtOnce(scenes, width, async (scene) => [scene, await recordScene(scene, made, host, env)] as const) // a pair
  } finally {
    await host.close()
  }
}

async function recordScene(
  { name }: Scene,
  { project, agent }: SceneProject,
  host: Host,
  env: Readonly<Record<string, string>>,
): Promise<ScenarioEvidence> {
  const root = project.dir
  const options = resolveOptions({ agent, executor: 'agent' })
  const file = project.path(specOf(name))
  const planned = planSpec(await project.read(specOf(name)), { file, root, options, commandLine: {} })
  if (!planned.ok) throw new Error(`${file}: ${planned.problems.map(({ message }) => message).join('\n')}`)
  const { spec, settings, hashes } = planned.plan
  const [scenario] = spec.scenarios
  if (scenario === undefined) throw new Error(`${file} has no scenario.`)
  const steps = stepsOf(scenario)
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
}
