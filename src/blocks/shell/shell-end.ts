import type { Redact } from '../../system/redaction/redact-texts.ts'
import { fail, type BlockFinding } from '../block-finding.ts'
import type { Done } from './failed-line.ts'
import { formatTail } from '../command-result/format-tail.ts'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'
import { describeEnd, describeExit } from '../../system/text/wording.ts'

export function describeShellEnd(
  result: Exclude<ShellResult, Done>,
  { what, redact }: { readonly what: string; readonly redact: Redact },
): BlockFinding {
  const message = [whyCutShort(result, what), formatTail(result, redact)].filter((part) => part !== '').join('\n\n')
  if (result.status === 'too-much-output') return { status: 'fail', message }
  return { ...fail(message), ...(result.status === 'timeout' && { status: 'timeout' }) }
}

export function whyCutShort(result: Exclude<ShellResult, Done>, what: string): string {
  switch (result.status) {
    case 'timeout':
      return `${what} ${describeEnd({ reason: 'hard-timeout', limitMs: result.timeoutMs })}.`
    case 'too-much-output':
      return `${what} printed more than ${result.limitBytes / 1024 ** 2} MiB and was ended. If it never stops printing, limit it: \`COMMAND | head -n 100\`. If its output is only long, send it to a file: \`COMMAND > out.txt\`.`
    case 'lost':
    case 'refused':
      return `${what} did not run to its end. ${result.message}`
    default:
      return result satisfies never
  }
}

export function quoteCommand(command: string): string {
  const [first = '', ...rest] = command.split('\n')
  return `\`${first.slice(0, 100)}${rest.length > 0 || first.length > 100 ? ' …' : ''}\``
}

/** A block that exits with this code skips the rest of the scenario. */
const skipCode = 80

export function asksForSkip(actual: number, expected: number): boolean {
  return actual === skipCode && expected !== skipCode
}

export function skippedBy(what: string, output: Omit<Done, 'status'>, redact: Redact): BlockFinding {
  const message = `${what} ${describeExit(output.exitCode)}, which means: skip this scenario.`
  return { status: 'skipped', message: [message, formatTail(output, redact)].filter((part) => part !== '').join('\n') }
}
