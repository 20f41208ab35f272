import { basename } from 'node:path'
import type { AcpAgent } from '../../spec/front-matter/acp-agent.ts'
import type { CliAgent } from '../agent.ts'
import { createAcpAgent } from './acp-agent.ts'

/** Any program that speaks ACP. Nothing is known of it: it has to ask by itself before it acts. */
export function createOwnAcpAgent({ acp: [bin, ...args] }: AcpAgent): CliAgent {
  const agent = createAcpAgent({
    name: 'acp',
    title: basename(bin),
    bin,
    args: () => args,
    ownFolders: [],
    ownVariables: [],
    tellsCost: false,
    variables: () => ({}),
    passwords: [],
    ownPaths: () => [],
  })
  return { ...agent, ownWords: args }
}
