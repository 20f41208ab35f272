import type { GateContext } from './run-gates.ts'
import { agentEnvironment } from '../../../agents/agent-environment.ts'
import { makeEvidenceFolder } from '../evidence/evidence-folder.ts'
import { openRedactor } from '../../../system/redaction/redact.ts'
import { mcpSecrets } from '../../../spec/front-matter/secrets.ts'
import type { McpServers } from '../../../spec/front-matter/front-matter.ts'
import type { CliContext } from '../../common/cli-context.ts'
import { withLiveTrees } from '../../common/with-live-trees.ts'
import { plainText } from '../../../system/text/plain-text.ts'

/** What git tells its hooks of the repository; a test that works with another one would work with this one. */
const repositoryVariables: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
])

/** The environment of gates and agents, the same within a hook of git as outside. */
export function gateEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(agentEnvironment(env)).filter(([name]) => !repositoryVariables.has(name))
  return Object.fromEntries(entries)
}

interface Place extends Pick<CliContext, 'env' | 'stderr' | 'signal'> {
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
