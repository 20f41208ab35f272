import { randomBytes } from 'node:crypto'
import { createLiveTrees } from '../../exec/live-trees.ts'
import type { GateContext } from '../../gate/gate-context.ts'
import { makeEvidenceFolder } from '../../gate/evidence-folder.ts'
import { gateEnvironment } from '../../gate/gate-environment.ts'
import { openRedactor } from '../../shared/open-redactor.ts'
import type { Surroundings } from '../surroundings.ts'

/** Does something that runs gates; afterwards nothing of it is left but the folder with the evidence. */
export async function withContext<Result>(
  { root, env, stderr, signal }: Pick<Surroundings, 'env' | 'stderr' | 'signal'> & { readonly root: string },
  act: (context: GateContext) => Promise<Result>,
): Promise<Result> {
  const runMark = `mdtest-${randomBytes(8).toString('hex')}`
  const trees = createLiveTrees(runMark)
  const endNow = (): void => trees.endAllNow()
  process.on('exit', endNow)
  try {
    return await act({
      root,
      trees,
      runMark,
      env: gateEnvironment(env),
      redactor: openRedactor({ envs: [env], names: [] }).redactor,
      folder: await makeEvidenceFolder(root, new Date()),
      onProgress: (line) => void stderr.write(`mdtest gate: ${line}\n`),
      signal,
    })
  } finally {
    await trees.close()
    process.off('exit', endNow)
  }
}
