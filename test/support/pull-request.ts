import type { WrittenCell } from '../../src/pull-request/comment.ts'
import type { ReadSpec, ReadStep } from '../../src/pull-request/read-report.ts'

/** A step that failed with a text of somebody else's in each place. */
export function failingStep(text: string, line = 3): ReadStep {
  return {
    titles: [text, text],
    line,
    outcome: 'fail',
    reasons: [{ code: 'STEP_FAILED', message: text }],
    said: { status: 'fail', observed: text },
    checks: [{ n: 1, text, status: 'fail', observed: `${text}!` }],
    images: [],
  }
}

export function readSpec(given: Partial<ReadSpec> = {}): ReadSpec {
  return { spec: 'shop.test.md', title: 'Shop', outcome: 'fail', problems: [], steps: [], ...given }
}

export function cellOf(given: Partial<WrittenCell> = {}): WrittenCell {
  return {
    ...{ name: 'ci / specs', run: 1, attempt: 1, job: 'a', commit: 'abcdef0123', outcome: 'pass' },
    ...{ steps: { pass: 2, verified: 2 }, wallTimeMs: 1000, entries: [], hidden: 0 },
    ...given,
  }
}
