import { inject } from 'vitest'
import { connectHost } from '../host/connect-host.ts'
import type { UpdateRefusal } from '../host/protocol.ts'
import { collectRewrites } from '../run/collect-rewrites.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import { StepFailure } from './failure.ts'
import type { Plan } from './generate-module.ts'
import type {} from './provided.ts'

/**
 * Has expected output rewritten, the scenarios of a spec being over.
 *
 * @throws StepFailure that says why nothing was written, because steps passed on the strength of it.
 */
export async function updateSpec(runs: readonly ScenarioRun[], readPlan: () => Plan): Promise<void> {
  const accepted = await Promise.all(runs.map((run) => run.acceptedRewrites()))
  if (!accepted.some((byBlock) => [...byBlock.values()].some((rewrites) => rewrites.length > 0))) return
  const { spec, hashes } = readPlan()
  const { files, refused } = collectRewrites(spec, new Map(accepted.flatMap((byBlock) => [...byBlock])))
  const requests = files.map((file) => ({ ...file, hash: hashes[file.file] ?? '' }))
  const found = refused.length > 0 ? refused : await rewrite(spec.file, requests)
  if (found.length > 0)
    throw new StepFailure(spec.file, { message: describe(found), places: found, code: 'UPDATE_REFUSED' })
}

async function rewrite(
  specFile: string,
  files: Parameters<ReturnType<typeof connectHost>['rewriteOutput']>[1],
): Promise<readonly UpdateRefusal[]> {
  const host = connectHost(inject('mdtest').address)
  try {
    return await host.rewriteOutput(specFile, files)
  } finally {
    host.close()
  }
}

function describe(refused: readonly UpdateRefusal[]): string {
  const lines = refused.map(({ message }) => `UPDATE_REFUSED: Expected output cannot be rewritten: ${message}`)
  return `${lines.join('\n')}\nNothing is written.`
}
