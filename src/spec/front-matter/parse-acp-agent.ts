import { parse } from 'yaml'
import type { AcpAgent } from './acp-agent.ts'
import { acpAgentSchema } from './acp-agent-schema.ts'

/** The agent that a text names as front matter does, in YAML: `{ acp: [my-agent, --acp] }`; `undefined` for any other text. */
export function parseAcpAgent(text: string): AcpAgent | undefined {
  try {
    const given: unknown = parse(text)
    return acpAgentSchema.safeParse(given).data
  } catch {
    return undefined // No YAML.
  }
}
