import { type SpecSettings, repeatsIn } from './options/spec-settings.ts'
import { browserLimitMs } from '../spec/browser/limits.ts'
import { blocksOf, stepsOf, type Block, type Scenario } from '../spec/spec.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { maxTimerMs } from '../system/concurrency.ts'

/** For starting and ending processes. */
const marginMs = 30_000

/** Vitest's own limit for a test would count the time in which a scenario waits for others. */
export const stepTimeoutMs = maxTimerMs

/**
 * For any test of a scenario, without its waiting. A test may have to run all that comes before it, and the limits of agent
 * and blocks fire first, because they explain themselves.
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

/** After a test was canceled: an agent's 5 s, a tear-down's 10 s, and more. */
export const endingTimeoutMs = 30_000

const tickMs = 1_000

interface TimedWork {
  readonly limitMs: number
  isWaiting(): boolean
}

/** @throws {MdtestError} `HOST_TIMEOUT` when work does not end within `endingTimeoutMs` after its signal. */
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
