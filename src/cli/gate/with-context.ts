import type { GateContext } from '../../gate/gate-context.ts'
import { makeEvidenceFolder } from '../../gate/evidence-folder.ts'
import { gateEnvironment } from '../../gate/gate-environment.ts'
import { openRedactor } from '../../shared/open-redactor.ts'
import type { Surroundings } from '../surroundings.ts'
import { withLiveTrees } from '../with-live-trees.ts'

/** Does something that runs gates; afterwards nothing of it is left but the folder with the evidence. */
export async function withContext<Result>(
  { root, env, stderr, signal }: Pick<Surroundings, 'env' | 'stderr' | 'signal'> & { readonly root: string },
  act: (context: GateContext) => Promise<Result>,
): Promise<Result> {
  return await withLiveTrees(async (run) =>
    act({
      ...run,
      root,
      env: gateEnvironment(env),
      redactor: openRedactor({ envs: [env], names: [] }).redactor,
      folder: await makeEvidenceFolder(root, new Date()),
      onProgress: (line) => void stderr.write(`mdtest gate: ${line}\n`),
      signal,
    }),
  )
}
