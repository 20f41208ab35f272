import type { Redact } from '../shared/redact-texts.ts'
import type { BlockFinding } from './block-finding.ts'
import { formatTail } from './describe-shell-end.ts'

/** The exit code by which a command says that its scenario cannot be tried here. */
const skipCode = 80

interface ExitCodes {
  readonly expected: number
  readonly actual: number
}

/** Whether a command asks for the rest of its scenario to be skipped. */
export function asksForSkip({ expected, actual }: ExitCodes): boolean {
  return actual === skipCode && expected !== skipCode
}

/** What such a command found; its output is the reason. */
export function skippedBy(
  what: string,
  output: { readonly stdout: string; readonly stderr: string },
  redact: Redact,
): BlockFinding {
  const message = `${what} ended with exit code ${skipCode}, which asks to skip the scenario.`
  return { status: 'skipped', message: [message, formatTail(output, redact)].filter((part) => part !== '').join('\n') }
}
