import { parse } from 'yaml'
import { z } from 'zod'

/** An agent that speaks ACP (agentclientprotocol.com) and has no name of its own: its program and its arguments. */
export interface AcpAgent {
  readonly acp: readonly [string, ...string[]]
}

export const acpAgentSchema = z.strictObject({ acp: z.tuple([z.string().min(1)], z.string().min(1)).readonly() })

const start = 'acp:'

/** What stands for it where agents are told by name: the same for the same words. */
export function acpAgentName({ acp }: AcpAgent): string {
  return `${start}${JSON.stringify(acp)}`
}

/** The agent that such a name stands for; `undefined` for any other name. */
export function readAcpAgentName(name: string): AcpAgent | undefined {
  if (!name.startsWith(start)) return undefined
  try {
    const acp: unknown = JSON.parse(name.slice(start.length))
    return acpAgentSchema.safeParse({ acp }).data
  } catch {
    return undefined // Somebody's own words.
  }
}

/** The agent that a text names as front matter does, in YAML: `{ acp: [my-agent, --acp] }`; `undefined` for any other text. */
export function parseAcpAgent(text: string): AcpAgent | undefined {
  try {
    const given: unknown = parse(text)
    return acpAgentSchema.safeParse(given).data
  } catch {
    return undefined // No YAML.
  }
}
