import type { GateContext } from './gates/gate-context.ts'
import { makeEvidenceFolder } from './evidence/evidence-folder.ts'
import { gateEnvironment } from './gates/gate-environment.ts'
import { openRedactor } from '../../system/redaction/open-redactor.ts'
import { mcpSecrets } from '../../spec/front-matter/mcp-secrets.ts'
import type { McpServers } from '../../spec/front-matter/mcp-servers.ts'
import type { Surroundings } from '../common/surroundings.ts'
import { withLiveTrees } from '../common/with-live-trees.ts'
import { plainText } from '../../system/text/plain-text.ts'

interface Place extends Pick<Surroundings, 'env' | 'stderr' | 'signal'> {
  /** Absolute, real path of the project. */
  readonly root: string
  /** Their secrets may come up in what gates and agents print. */
  readonly mcpServers?: McpServers | undefined
}

/** Does something that runs gates; afterwards nothing of it is left but the folder with the evidence. */
export async function withContext<Result>(
  { root, mcpServers = {}, env, stderr, signal }: Place,
  act: (context: GateContext) => Promise<Result>,
): Promise<Result> {
  const { redactor } = openRedactor({ envs: [env], names: [], others: mcpSecrets(mcpServers) })
  return await withLiveTrees(async (run) =>
    act({
      ...run,
      root,
      env: gateEnvironment(env),
      redactor,
      ...makeEvidenceFolder(root, new Date()),
      onProgress: (line) => void stderr.write(`mdtest gate: ${plainText(redactor.redact(line))}\n`),
      signal,
    }),
  )
}
