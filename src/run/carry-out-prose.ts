import { randomUUID } from 'node:crypto'
import type { ScenarioReply } from '../host/protocol.ts'
import { stepsOf, type Step } from '../spec/spec.ts'
import { isLeftOut } from './is-left-out.ts'
import type { ScenarioInput } from './scenario-input.ts'

interface Prose extends Pick<ScenarioInput, 'spec' | 'scenario' | 'settings' | 'root' | 'host'> {
  /** Steps up to the last that is reported. */
  readonly steps: readonly Step[]
  readonly cwd: string
  readonly signal: AbortSignal
}

/** Hands the prose of a scenario to the host; when `signal` aborts, the agent is ended. */
export async function carryOutProse({
  spec,
  scenario,
  settings,
  root,
  host,
  steps,
  cwd,
  signal,
}: Prose): Promise<ScenarioReply> {
  const requestId = randomUUID()
  const asked = steps.filter((step) => step.actor === 'agent' && !isLeftOut(step))
  const cancel = (): void => host.cancel(requestId)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    return await host.carryOut({
      requestId,
      specFile: spec.file,
      specAgent: spec.agent,
      ...(spec.scenarios.length > 1 && { scenarioTitle: scenario.title }),
      root,
      cwd,
      settings,
      env: spec.frontMatter.env,
      steps: asked.map(({ id, title, checks }) => ({ id, title, checks: checks.length })),
      otherSteps: stepsOf(scenario)
        .filter((step) => !asked.includes(step))
        .map(({ id, title }) => ({ id, title })),
      hasSetupProse: scenario.setup?.hasProse ?? false,
      hasTeardownProse: scenario.teardown?.hasProse ?? false,
    })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
