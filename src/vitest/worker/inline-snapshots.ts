import type { TestContext } from 'vitest'
import { moduleBlocksOf } from '../modules/module-blocks.ts'
import type { Spec } from '../../spec/spec.ts'

/** What Vitest knows of the snapshots of a spec. */
export type SnapshotState = ReturnType<TestContext['expect']['getState']>['snapshotState']

/**
 * Whether Vitest may be about to write inline snapshots into blocks of the spec. It does so when all is over, at the places
 * where they stood when they were compared: no line may come or go before that.
 */
export function mayWriteInlineSnapshots({ added, updated }: SnapshotState, spec: Spec): boolean {
  const isInline = moduleBlocksOf(spec).some(({ code }) => /inlinesnapshot/i.test(code))
  return isInline && added.total() + updated.total() > 0
}
