import type { BlockOutcome } from '../../records/block-outcome.ts'
import { cutLine, plainLine } from '../../system/text/plain-text.ts'

const maxLines = 3
const maxCharacters = 120

/** Says with blocks that failed what of the agent was stopped while they ran: they may have waited for it. */
export function withStopped(
  outcomes: readonly BlockOutcome[],
  commandLines: readonly string[],
): readonly BlockOutcome[] {
  if (commandLines.length === 0) return outcomes
  const named = commandLines.slice(0, maxLines).map((line) => `\`${cutLine(plainLine(line), maxCharacters)}\``)
  const rest = commandLines.length - named.length
  const list = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  const note = `Meanwhile what the agent had left in the background was stopped: ${list}. A job has to be done when its step is reported; a server goes on once it is called.`
  return outcomes.map((outcome) =>
    outcome.status === 'fail' || outcome.status === 'timeout'
      ? { ...outcome, message: `${outcome.message}\n\n${note}` }
      : outcome,
  )
}
