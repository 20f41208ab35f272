import { expect, test } from 'vitest'
import { changeOf } from '../../../../src/spec/dialects/dialect-places.ts'

test.for([
  ['/p/openspec/changes/add-tags/specs/notes/spec.md', 'add-tags'],
  ['/p/packages/a/openspec/changes/add tags/specs/a/b/spec.md', 'add tags'],
  ['/p/openspec/specs/notes/spec.md', undefined],
  ['/p/openspec/changes/archive/2026-01-01-x/specs/notes/spec.md', undefined],
  ['/p/openspec/changes/add-tags/proposal.md', undefined],
  ['/p/changes/add-tags/specs/notes/spec.md', undefined],
  // A project inside of another one's change.
  ['/p/openspec/changes/x/specs/copy/openspec/changes/y/specs/notes/spec.md', 'y'],
] as const)('%s is of the change %s', ([file, change]) => {
  expect(changeOf(file)).toBe(change)
})
