import type { CommandEnd } from '../../system/process/command.ts'
import type { AgentEnding } from '../../verdict/verdict.ts'

/** How an agent's process ended, in the words of the verdict. */
export function agentEnding(end: CommandEnd): AgentEnding {
  switch (end.reason) {
    case 'exit':
      return { kind: 'exited', exitCode: end.exitCode }
    case 'signal':
      return { kind: 'killed', signal: end.signal }
    case 'hard-timeout':
    case 'silence-timeout':
      return { kind: end.reason, limitMs: end.limitMs }
    case 'canceled':
      return { kind: 'canceled' }
    case 'spawn-failed':
      return { kind: 'not-found', message: end.error.message }
    case 'lost':
      return { kind: 'lost', message: end.error.message }
    default:
      return end satisfies never
  }
}
