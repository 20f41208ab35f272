import { type SpecSettings, repeatsIn } from './options/spec-settings.ts'
import { browserLimitMs } from '../spec/browser/limits.ts'
import { blocksOf, stepsOf, type Block, type Scenario } from '../spec/spec.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { maxTimerMs } from '../system/concurrency.ts'

/** Time for starting and ending processes and for clean-up, on top of the limits of what is run. */
const marginMs = 30_000

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
  const { timeoutMs } = block.attributes
  if (block.kind === 'browser') return browserLimitMs(block)
  const commands = block.kind === 'console' ? block.commands.length : 1
  return commands * (timeoutMs ?? defaultMs)
}

/** Longest end of a scenario after its test was canceled, in milliseconds: an agent's 5 s, a tear-down's 10 s, and more. */
export const endingTimeoutMs = 30_000

const tickMs = 1_000

interface TimedWork {
  /** In milliseconds, without the time in which it waits for its turn. */
  readonly limitMs: number
  isWaiting(): boolean
}

/**
 * Bounds what Vitest's own time limit cannot: that one would count the time in which a scenario waits for others.
 *
 * @param work gets a signal that is aborted when the time is over, and then has 30 s to end
 * @throws {MdtestError} `HOST_TIMEOUT` when it does not.
 */
export async function withinDeadline<T>(
  { limitMs, isWaiting }: TimedWork,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  let leftMs = limitMs
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (!isWaiting()) leftMs -= tickMs
      if (leftMs <= 0) over.abort()
      const message = `The scenario did not end within ${limitMs} ms, the sum of all its limits, nor when it was canceled.`
      if (leftMs <= -endingTimeoutMs) reject(new MdtestError('HOST_TIMEOUT', message))
    }, tickMs)
    // A worker whose main process is gone has nothing to wait for.
    timer.unref()
  })
  try {
    return await Promise.race([work(over.signal), expired])
  } finally {
    clearInterval(timer)
  }
}
