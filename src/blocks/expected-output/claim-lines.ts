import type { Alignment } from './align-lines.ts'

/** Above this many pairs of lines no place is searched for. */
const maxPairs = 200_000
/** Below it two lines have nothing to do with each other; 0 to 1. */
const minLikeness = 0.3

/** Expected output as it is needed here. */
interface ExpectedLines {
  /** As written. */
  readonly lines: readonly string[]
  /** Whether the line stands for any lines. */
  isDots(index: number): boolean
}

/**
 * Where expected lines beside a `...` are lost, the `...` has taken what came in their place. Gives back as many lines,
 * those most like the lost ones, so that the difference can be seen.
 */
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

/** Runs of lost lines that have no extra line beside them. */
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

/** A run of lost lines, as written, and the lines that `...` takes before and after it, where there is one. */
interface Gap {
  readonly lost: readonly string[]
  readonly before: readonly string[] | undefined
  readonly after: readonly string[] | undefined
}

/** The lines that are given back, and what stays with each `...`. */
interface Claim {
  readonly before: readonly string[] | undefined
  readonly lines: readonly string[]
  readonly after: readonly string[] | undefined
}

function findClaim({ lost, before, after }: Gap): Claim {
  const lines = [...(before ?? []), ...(after ?? [])]
  const count = Math.min(lost.length, lines.length)
  // With a `...` on one side alone, nothing would take the lines on the other.
  const start = before === undefined ? 0 : after === undefined ? lines.length - count : mostAlike(lost, lines, count)
  if (start === undefined) return { before, lines: [], after }
  const end = start + count
  return { before: before && lines.slice(0, start), lines: lines.slice(start, end), after: after && lines.slice(end) }
}

/** Where in the lines those begin that are most like the lost ones, if any are. */
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

/** 0 to 1: how much of the longer one is common beginning and end. */
function likeness(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1
  return (head + tail) / Math.max(a.length, b.length, 1)
}
