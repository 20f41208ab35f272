import { mostAlike } from '../../system/text/plain-text.ts'
import type { Alignment } from './align-lines.ts'

interface ExpectedLines {
  readonly lines: readonly string[]
  isDots(index: number): boolean
}

/** Output that `...` matched beside lost lines becomes extra lines, so that the diff shows both together. */
export function takeFromDots(alignment: readonly Alignment[], expected: ExpectedLines): readonly Alignment[] {
  const parts = [...alignment]
  for (let end = parts.length; end > 0; end -= 1) {
    let start = end
    while (parts[start - 1]?.kind === 'lost') start -= 1
    const [previous, lost, next] = [parts[start - 1], parts[start], parts[end]]
    if (lost?.kind === 'lost' && previous?.kind !== 'extra' && next?.kind !== 'extra') {
      const [before, after] = [takenByDots(previous, expected), takenByDots(next, expected)]
      const lines = [...(before?.lines ?? []), ...(after?.lines ?? [])]
      // With `...` on one side only, take the lines that are nearest to the lost lines.
      const nearest = before === undefined ? 0 : Math.max(0, lines.length - (end - start))
      const first = before && after ? mostAlike(expected.lines[lost.index] ?? '', lines) : nearest
      const claimed = lines.slice(first, first + end - start)
      if (before) parts[start - 1] = { ...before, lines: lines.slice(0, first) }
      if (after) parts[end] = { ...after, lines: lines.slice(first + claimed.length) }
      parts.splice(end, 0, ...claimed.map((line): Alignment => ({ kind: 'extra', line })))
    }
    end = start
  }
  return parts
}

function takenByDots(part: Alignment | undefined, { isDots }: ExpectedLines) {
  return part?.kind === 'kept' && isDots(part.index) ? part : undefined
}
