import { parseRecording } from './parse-recording.ts'
import { sealOf } from './seal.ts'
import { SourceLines } from './source-lines.ts'

/** What `resealRecording` replaces. */
export const noSeal = '00000000'

/** The text of a recording in which each seal stands for the blocks that are there. Keys without a seal stay so. */
export function resealRecording(source: string): string {
  const lines = new SourceLines(source)
  const all = Array.from({ length: lines.count }, (_, index) => lines.at(index + 1))
  for (const { key, seal, line, endLine, blocks } of parseRecording(source, '').recording.steps) {
    if (seal === undefined) continue
    const marks = all.findIndex((text, index) => index >= line && index < endLine && text.includes(key + seal))
    if (marks !== -1) lines.change(marks + 1, lines.at(marks + 1).replace(key + seal, key + sealOf(blocks, all)))
  }
  return lines.toString()
}
