import { join } from 'node:path'
import { groundAt } from '../../system/files/ground.ts'
import { replaceFile } from '../../system/files/write-file.ts'
import type { ToolPart } from '../../mcp/tool-call.ts'
import type { Answer } from '../reports/step-reports.ts'
import { withoutLoneBytes } from '../../system/text/byte-text.ts'

/** `parts`: all that a tool gave, where it is more than text. */
export type ExecutorAnswer = Answer & { readonly parts?: readonly ToolPart[] }

export function told(text: string): Answer {
  return { text, isError: false }
}

export function refused(text: string): Answer {
  return { text, isError: true }
}

interface Ended {
  readonly exitCode: number | undefined
  readonly problem?: string
  readonly durationMs: number
  /** What an answer shows of the output. */
  readonly shown: string
  /** Why nothing in it can be quoted. */
  readonly doubt: string | undefined
}

/** What came of a command. Its exit code and "No output" are lines of their own: they may be quoted. */
export function describeEnd({ exitCode, problem, durationMs, shown, doubt }: Ended): string {
  return [
    ...(doubt === undefined ? [] : [`Not to be quoted: ${doubt}`]),
    `After ${(durationMs / 1000).toFixed(2)} s:`,
    problem ?? `Exit code ${exitCode}`,
    shown === '' ? 'No output' : `Output:\n${shown}`,
  ].join('\n')
}

/** Waits for the end of something, at most so many milliseconds. */
export async function withinWait(ended: Promise<unknown>, maxWaitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs)
  })
  await Promise.race([ended, late])
  clearTimeout(timer)
}

/** How much of an output an answer shows: its first and its last lines. */
const headLines = 120
const tailLines = 80
const maxCharacters = 24_000
const maxLineCharacters = 2000

/** The output as an agent gets it: whole, or its head and tail and the name of a file of the agent's own with all of it. */
export function shownOutput(output: string, { id, scratchDir }: { id: string; scratchDir: string }): string {
  const lines = withoutLoneBytes(output).replace(/\n$/, '').split('\n')
  const isShort = lines.length <= headLines + tailLines && output.length <= maxCharacters
  if (isShort && lines.every(({ length }) => length <= maxLineCharacters)) return lines.join('\n')
  const head = firstLines(lines, headLines)
  const tail = firstLines(lines.slice(head.length).slice(-tailLines).toReversed(), tailLines).toReversed()
  const left = lines.length - head.length - tail.length
  const between = left > 0 ? `lines ${head.length + 1} to ${head.length + left} are left out` : 'lines are cut'
  replaceFile(groundAt(scratchDir), join(scratchDir, `${id}.out`), output)
  return [...head, `… ${between}: all of it is in $MDTEST_SCRATCH/${id}.out …`, ...tail].join('\n')
}

function firstLines(lines: readonly string[], most: number): readonly string[] {
  const shown: string[] = []
  let left = maxCharacters / 2
  for (const line of lines.slice(0, most)) {
    left -= Math.min(line.length, maxLineCharacters)
    if (left < 0 && shown.length > 0) break
    shown.push(line.length <= maxLineCharacters ? line : `${line.slice(0, maxLineCharacters)}…`)
  }
  return shown
}
