import type { LogReading } from '../../records/result-log/result-log.ts'
import type { AskedStep } from '../protocol/protocol.ts'

/**
 * Whether a result log says all that it has to: it is valid, of this run, and has failed, or speaks of every step that
 * was asked for, or of all at once.
 */
export function isComplete(
  reading: LogReading,
  { runId, steps }: { readonly runId: string; readonly steps: readonly Pick<AskedStep, 'id'>[] },
): boolean {
  if (!reading.ok || reading.log.run !== runId) return false
  const { status, steps: told } = reading.log
  return status === 'fail' || told === undefined || steps.every(({ id }) => told.some((step) => step.id === id))
}
