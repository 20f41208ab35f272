import { expect, test } from 'vitest'
import { stepMetaOf } from '../../src/plan/step-meta-of.ts'

test.each([undefined, { sandbox: 'bubblewrap' as const }])(
  'reporters learn whose hands were at a step: %j',
  (hands) => {
    const verdict = { outcome: 'pass', reasons: [], ...(hands && { hands }) } as const // a literal outcome
    const meta = stepMetaOf({ verdict, rewritten: [] }, { log: undefined, tries: 1 })
    expect(meta).toEqual({ outcome: 'pass', reasons: [], ...(hands && { hands }) })
  },
)
