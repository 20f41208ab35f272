import type { BlockOutcome } from '../records/block-outcome.ts'
import { ownCopy } from '../system/own-package.ts'
import type { Block } from '../spec/spec.ts'
import { runBlock, type BlockContext } from './run-block.ts'

/**
 * Runs blocks in order up to the first that does not pass, or all of them where `afterFailure` says so. A service that
 * has ended although it should not counts as a block that failed, and with any other failure stands what the services
 * wrote meanwhile.
 */
export async function runBlocks(blocks: readonly Block[], context: BlockContext): Promise<readonly BlockOutcome[]> {
  const { services, afterFailure } = context
  const outcomes: BlockOutcome[] = []
  for (const block of blocks) {
    const ended = services.drainLost()
    if (ended) return [...outcomes, ended]
    const mark = services.mark()
    const outcome = await runBlock(block, context)
    const told = withServices(outcome, services.describeSince(mark))
    // A slice would keep the whole output in memory.
    outcomes.push({ ...told, message: ownCopy(told.message) })
    // The outcome tells of a service that has ended.
    if (outcome.status !== 'pass') services.drainLost()
    if (outcome.status === 'pass' || (outcome.status === 'fail' && afterFailure === 'continue')) continue
    // Only the tear-down may still need the services.
    services.release()
    return outcomes
  }
  const ended = services.drainLost()
  return ended ? [...outcomes, ended] : outcomes
}

function withServices(outcome: BlockOutcome, services: string): BlockOutcome {
  if (outcome.status === 'pass' || outcome.status === 'skipped' || services === '') return outcome
  return { ...outcome, message: `${outcome.message}\n\n${services}` }
}
