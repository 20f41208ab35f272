import { expect, test } from 'vitest'
import { requirementsOf } from '../../../../src/spec/dialects/spec-kit/spec-kit-dialect.ts'

test.each([
  ['she adds another one (FR-002)', ['FR-002']],
  ['**FR-003**, FR-001 and `SC-001`; FR-003 again', ['FR-003', 'FR-001', 'SC-001']],
  ['NFR-1 and FR-012a', ['NFR-1', 'FR-012a']],
  ['XFR-001, FR-, fr-001, FR-001b2, MY-FR-001', []],
  ['', []],
])('%s', (text, requirements) => {
  expect(requirementsOf(text)).toEqual(requirements)
})
