import { type SpecSettings, repeatsIn } from './options/spec-settings.ts'
import { browserLimitMs } from '../spec/browser/limits.ts'
import { blocksOf, stepsOf, type Block, type Scenario } from '../spec/spec.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { maxTimerMs } from '../system/slots-and-timers.ts'

/** Time for starting and ending processes. */
const marginMs = 30_000

/** Practically no limit, because Vitest also counts the time that a scenario waits for others. */
export const stepTimeoutMs = maxTimerMs

/** Limit of each test. Covers the whole scenario, because a test may run all earlier steps. Waiting does not count. */
export function scenarioTimeoutMs(scenario: Scenario, settings: SpecSettings): number {
  const blocksMs = blocksOf(scenario).reduce((sum, block) => sum + blockMs(block, settings.blockTimeoutMs), 0)
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

/** Time to end after a test was canceled: an agent needs 5 s, a tear-down 10 s, and the rest is reserve. */
export const endingTimeoutMs = 30_000

const tickMs = 1_000

/** Aborts `work` after `limitMs`. @throws {MdtestError} `HOST_TIMEOUT` if `work` runs `endingTimeoutMs` longer. */
export async function withinDeadline<T>(
  { limitMs, isWaiting }: { readonly limitMs: number; isWaiting(): boolean },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  let leftMs = limitMs
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (!isWaiting()) leftMs -= tickMs
      if (leftMs <= 0) over.abort()
      const message = `The scenario did not end within ${limitMs} ms, the sum of all its limits, nor after it was canceled.`
      if (leftMs <= -endingTimeoutMs) reject(new MdtestError('HOST_TIMEOUT', message))
    }, tickMs)
    // The timer must not keep a worker alive after its main process is gone.
    timer.unref()
  })
  try {
    return await Promise.race([work(over.signal), expired])
  } finally {
    clearInterval(timer)
  }
}
