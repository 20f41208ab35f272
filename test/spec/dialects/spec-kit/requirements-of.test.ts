import { expect, test } from 'vitest'
import { idsIn } from '../../../../src/spec/dialects/spec-kit/spec-kit-dialect.ts'

test.each([
  ['she adds another one (FR-002)', ['FR-002']],
  ['**FR-003**, FR-001 and `SC-001`; FR-003 again', ['FR-003', 'FR-001', 'SC-001']],
  ['NFR-1 and FR-012a', ['NFR-1', 'FR-012a']],
  ['XFR-001, FR-, fr-001, FR-001b2, MY-FR-001', ['fr-001']],
  ['FR-001, 005; FR‑002; FRs 003 and 004', ['FR-001, 005', 'FR‑002', 'FRs 003 and 004']],
  ['FR-001.1, FR-001, 3 notes and FR-002 to FR-004', ['FR-001.1', 'FR-001', 'FR-002 to FR-004']],
  ['FR-001 and 5 more, FRs 5, SC 5 km/h, FR-001 to 5 users; FR 005', ['FR-001', 'FR 005']],
  ['FR-001-FR-005, FR-002 to 5. FR-010 – 12', ['FR-001-FR-005', 'FR-002 to 5', 'FR-010 – 12']],
  ['', []],
])('%s', (text, requirements) => {
  expect(idsIn(text)).toEqual(requirements)
})
