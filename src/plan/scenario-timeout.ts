import type { SpecSettings } from './options/spec-settings.ts'
import { repeatsIn } from './options/repeats-in.ts'
import { blocksOf, stepsOf, type Block, type Scenario } from '../spec/spec.ts'

/** Time for starting and ending processes and for clean-up, on top of the limits of what is run. */
const marginMs = 30_000
const maxTimerMs = 2_147_483_647

/**
 * Vitest's limit for the test of a step, in milliseconds: none to speak of. It would count the time in which a scenario
 * waits for others; `withinDeadline` does not.
 */
export const stepTimeoutMs = maxTimerMs

/**
 * Limit for any test of a scenario, in milliseconds, without its waiting. Any test may have to run all that comes before it,
 * and the limits of agent and blocks must fire first, because they explain themselves.
 */
export function scenarioTimeoutMs(scenario: Scenario, settings: SpecSettings): number {
  const blocks = blocksOf(scenario)
  const blocksMs = blocks.reduce((sum, block) => sum + blockMs(block, settings.blockTimeoutMs), 0)
  const hasAgent = stepsOf(scenario).some((step) => step.actor === 'agent')
  const runMs = blocksMs + (hasAgent ? settings.hardTimeoutMs : 0) + marginMs
  return Math.min(maxTimerMs, runMs * repeatsIn(scenario, settings).runs)
}

function blockMs(block: Block, defaultMs: number): number {
  const commands = block.kind === 'console' ? block.commands.length : 1
  return commands * (block.attributes.timeoutMs ?? defaultMs)
}
