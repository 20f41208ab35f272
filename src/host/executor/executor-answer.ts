import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentEvent, DoneCall } from '../../agents/agent.ts'
import { groundAt } from '../../system/files/trusted-folder.ts'
import { replaceFile } from '../../system/files/write-file.ts'
import { maxWaitMs, type Answer } from '../agent-reports/step-reports.ts'
import { withoutLoneBytes } from '../../system/text/byte-text.ts'

export interface ActingContext {
  readonly cwd: string
  readonly scratchDir: string
  readonly timeoutMs: number
  readonly onEvent: (event: AgentEvent) => string | undefined
  /** Records that a call begins. The caller passes the finished call to the returned function. */
  readonly onDone: (call: DoneCall) => (ended: DoneCall) => void
}

export function told(text: string): Answer {
  return { text, isError: false }
}

export function refused(text: string): Answer {
  return { text, isError: true }
}

export async function withinWait<T>(ended: Promise<T>): Promise<T | undefined> {
  const isOver = new AbortController()
  const end = await Promise.race([ended, sleep(maxWaitMs, undefined, { signal: isOver.signal }).catch(() => undefined)])
  isOver.abort()
  return end
}

const headLines = 120
const tailLines = 80
const maxCharacters = 24_000
const maxLineCharacters = 2000

/** Returns a short output unchanged. A long output goes into a scratch file; head, tail and file name are returned. */
export function shownOutput(output: string, id: string, scratchDir: string): string {
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
