import { expect, test } from 'vitest'
import { stepMetaOf } from '../../src/plan/build-step-meta.ts'

test.each([undefined, { sandbox: 'bubblewrap' as const }])(
  'reporters learn whose executor were at a step: %j',
  (executor) => {
    const verdict = { outcome: 'pass', reasons: [], ...(executor && { executor }) } as const // a literal outcome
    const meta = stepMetaOf({ verdict, rewritten: [] }, { log: undefined, tries: 1 })
    expect(meta).toEqual({ outcome: 'pass', reasons: [], ...(executor && { executor }) })
  },
)
