import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { BlockFinding } from '../block-finding.ts'
import { formatTail } from '../compare/format-tail.ts'

interface ExitCodes {
  readonly expected: number
  readonly actual: number
  /**
   * The one by which a command says that its scenario cannot be tried here.
   * @default 80
   */
  readonly skipCode?: number | undefined
}

/** Whether a command asks for the rest of its scenario to be skipped. */
export function asksForSkip({ expected, actual, skipCode = 80 }: ExitCodes): boolean {
  return actual === skipCode && expected !== skipCode
}

/** What such a command found; its output is the reason. */
export function skippedBy(
  what: string,
  output: { readonly stdout: string; readonly stderr: string; readonly exitCode: number },
  redact: Redact,
): BlockFinding {
  const message = `${what} ended with exit code ${output.exitCode}, which means: skip this scenario.`
  return { status: 'skipped', message: [message, formatTail(output, redact)].filter((part) => part !== '').join('\n') }
}
