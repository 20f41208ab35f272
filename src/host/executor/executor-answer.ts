import type { ToolPart } from '../../mcp/tool-call.ts'
import type { Answer } from '../reports/step-reports.ts'

/** `parts`: all that a tool gave, where it is more than text. */
export type ExecutorAnswer = Answer & { readonly parts?: readonly ToolPart[] }

export function told(text: string): Answer {
  return { text, isError: false }
}

export function refused(text: string): Answer {
  return { text, isError: true }
}

/** What came of a command, before its output. */
export function headOf({ exitCode, problem, durationMs }: Ended): string {
  const end = problem ?? `Exit code ${exitCode}`
  return `${end.replace(/\.$/, '')}, after ${(durationMs / 1000).toFixed(2)} s.`
}

interface Ended {
  readonly exitCode: number | undefined
  readonly problem?: string
  readonly durationMs: number
}

export const checking =
  'mdtest still checks the last step. Try nothing meanwhile: call `next_step` and wait for its answer.'
