import { alignLines } from '../expected-output/align-lines.ts'
import { formatLineDiff, type DiffLine } from '../expected-output/line-diff.ts'

/** A diff of two printed values, `-` expected and `+` actual. */
export function diffValues(expected: string, actual: string): string {
  const written = expected.split('\n')
  const alignment = alignLines({
    patterns: written.map((text) => ({ kind: 'text', text, times: 'once' })),
    lines: actual.split('\n'),
    captures: new Map(),
  })
  const lines = alignment.map((part): DiffLine => {
    if (part.kind === 'extra') return { mark: '+', text: part.line }
    return { mark: part.kind === 'lost' ? '-' : ' ', text: written[part.index] ?? '' }
  })
  return formatLineDiff(lines)
}
