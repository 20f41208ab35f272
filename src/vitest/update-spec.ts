import { inject } from 'vitest'
import { connectHost } from '../host/connect-host.ts'
import { refusals } from '../host/update-refusals.ts'
import type { FileRewrites, UpdateRefusal } from '../host/protocol.ts'
import { collectRewrites } from '../run/collect-rewrites.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import { StepFailure } from './failure.ts'
import type { Plan } from './generate-module.ts'
import { mayWriteInlineSnapshots, type SnapshotState } from './inline-snapshots.ts'
import type {} from './provided.ts'

/**
 * Has expected output rewritten, the scenarios of a spec being over.
 *
 * @throws StepFailure that says what was not rewritten: steps have passed on the strength of it.
 */
export async function updateSpec(
  runs: readonly Pick<ScenarioRun, 'acceptedRewrites'>[],
  { readPlan, snapshots }: { readonly readPlan: () => Plan; readonly snapshots: SnapshotState | undefined },
): Promise<void> {
  const accepted = await Promise.all(runs.map((run) => run.acceptedRewrites()))
  if (!accepted.some((byBlock) => [...byBlock.values()].some((rewrites) => rewrites.length > 0))) return
  const { spec, hashes } = readPlan()
  const { files, refused } = collectRewrites(spec, new Map(accepted.flatMap((byBlock) => [...byBlock])))
  const isTooEarly = snapshots !== undefined && mayWriteInlineSnapshots(snapshots, spec)
  const found = isTooEarly
    ? files.map(({ file, rewrites }) => ({ file, line: rewrites[0]?.line ?? 1, message: refusals.inlineSnapshots }))
    : await rewrite(
        spec.file,
        files.map((file) => ({ ...file, hash: hashes[file.file] ?? '' })),
      )
  const all = [...refused, ...found]
  if (all.length === 0) return
  const message = all.map((one) => `UPDATE_REFUSED: Not rewritten: ${one.message}`).join('\n')
  throw new StepFailure(spec.file, { message, places: all })
}

async function rewrite(specFile: string, files: readonly FileRewrites[]): Promise<readonly UpdateRefusal[]> {
  const host = connectHost(inject('mdtest').address)
  try {
    return await host.rewriteOutput(specFile, files)
  } finally {
    host.close()
  }
}
