import { connectHost } from '../host/server/connect-host.ts'
import type { HostAddress } from '../host/protocol/protocol.ts'
import { refusals } from '../host/rewrite/update-refusals.ts'
import { collectRewrites } from '../scenario/scenario-updates.ts'
import type { Attempts } from './scenario-attempts.ts'
import type { FailureDetails } from './describe-failure.ts'
import { scenariosOf, type Plan } from './plan.ts'

interface UpdateContext {
  readonly plan: Plan
  readonly address: HostAddress
  /** Whether Vitest is about to write inline snapshots by line number, so that the lines must not move. */
  readonly hasSnapshots: boolean
}

/** Call only after all scenarios. A refused rewrite fails the spec, because the expected output stays wrong. */
export async function updateSpec(
  attempts: Attempts,
  { plan, address, hasSnapshots }: UpdateContext,
): Promise<FailureDetails | undefined> {
  const { spec, hashes } = plan
  const accepted = await attempts.acceptedRewrites()
  if (!accepted.some((byBlock) => [...byBlock.values()].some((rewrites) => rewrites.length > 0))) return undefined
  const { files, refused } = collectRewrites(
    { scenarios: scenariosOf(plan), file: spec.file },
    new Map(accepted.flatMap((byBlock) => [...byBlock])),
  )
  using host = connectHost(address)
  const found = hasSnapshots
    ? files.map(({ file, rewrites }) => ({ file, line: rewrites[0]?.line ?? 1, message: refusals.inlineSnapshots }))
    : await host.rewriteOutput(
        spec.file,
        files.map((one) => ({ ...one, hash: hashes[one.file] ?? '' })),
      )
  const all = [...refused, ...found]
  if (all.length === 0) return undefined
  const message = all.map((one) => `UPDATE_REFUSED: Not rewritten: ${one.message}`).join('\n')
  return { message, places: all }
}
