import type { Alignment } from './align-lines.ts'

const maxPairs = 200_000
const minLikeness = 0.3

interface ExpectedLines {
  readonly lines: readonly string[]
  isDots(index: number): boolean
}

/** Takes output lines away from a `...` if they resemble lost lines next to it, so that the diff shows both. */
export function claimLines(alignment: readonly Alignment[], expected: ExpectedLines): readonly Alignment[] {
  const parts = [...alignment]
  const claimedAfter = new Map<number, readonly string[]>()
  for (const { start, end } of findLost(parts)) {
    const [before, after] = [takenByDots(parts[start - 1], expected), takenByDots(parts[end], expected)]
    if (before === undefined && after === undefined) continue
    const lost = parts.slice(start, end).map((part) => (part.kind === 'lost' ? (expected.lines[part.index] ?? '') : ''))
    const claim = findClaim({ lost, before, after })
    claimedAfter.set(end - 1, claim.lines)
    replaceLines(parts, start - 1, claim.before)
    replaceLines(parts, end, claim.after)
  }
  return parts.flatMap((part, at) => [
    part,
    ...(claimedAfter.get(at) ?? []).map((line): Alignment => ({ kind: 'extra', line })),
  ])
}

function findLost(parts: readonly Alignment[]): readonly { readonly start: number; readonly end: number }[] {
  const runs: { start: number; end: number }[] = []
  for (const [at, { kind }] of parts.entries()) {
    if (kind !== 'lost') continue
    const last = runs.at(-1)
    if (last?.end === at) last.end = at + 1
    else runs.push({ start: at, end: at + 1 })
  }
  return runs.filter(({ start, end }) => parts[start - 1]?.kind !== 'extra' && parts[end]?.kind !== 'extra')
}

function takenByDots(part: Alignment | undefined, { isDots }: ExpectedLines): readonly string[] | undefined {
  return part?.kind === 'kept' && isDots(part.index) ? part.lines : undefined
}

function replaceLines(parts: Alignment[], at: number, lines: readonly string[] | undefined): void {
  const part = parts[at]
  if (part?.kind === 'kept' && lines !== undefined) parts[at] = { ...part, lines }
}

/** Adjacent lost lines, and the output lines that the `...` before and after them have matched. */
interface Gap {
  readonly lost: readonly string[]
  readonly before: readonly string[] | undefined
  readonly after: readonly string[] | undefined
}

/** Returns the lines to show, and the lines that each `...` keeps. */
function findClaim({ lost, before, after }: Gap): Omit<Gap, 'lost'> & { readonly lines: readonly string[] } {
  const lines = [...(before ?? []), ...(after ?? [])]
  const count = Math.min(lost.length, lines.length)
  // With a `...` on one side only, take the lines nearest to the gap.
  const start = before === undefined ? 0 : after === undefined ? lines.length - count : mostAlike(lost, lines, count)
  if (start === undefined) return { before, lines: [], after }
  const end = start + count
  return { before: before && lines.slice(0, start), lines: lines.slice(start, end), after: after && lines.slice(end) }
}

function mostAlike(lost: readonly string[], lines: readonly string[], count: number): number | undefined {
  if (lines.length * count > maxPairs) return undefined
  let best: { readonly start: number; readonly score: number } | undefined
  for (let start = 0; start + count <= lines.length; start += 1) {
    let score = 0
    for (let at = 0; at < count; at += 1) score += likeness(lost[at] ?? '', lines[start + at] ?? '')
    if (score >= minLikeness * count && score > (best?.score ?? 0)) best = { start, score }
  }
  return best?.start
}

/** How similar two texts are, from 0 to 1: their common beginning and end in relation to the longer text. */
function likeness(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1
  return (head + tail) / Math.max(a.length, b.length, 1)
}
