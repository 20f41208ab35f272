/** An agent that speaks ACP (agentclientprotocol.com) and has no name of its own: its program and its arguments. */
export interface AcpAgent {
  readonly acp: readonly [string, ...string[]]
}

const start = 'acp:'

/** What stands for it where agents are told by name: the same for the same words. */
export function acpAgentName({ acp }: AcpAgent): string {
  return `${start}${JSON.stringify(acp)}`
}

/** The agent that such a name stands for; `undefined` for any other name. */
export function readAcpAgentName(name: string): AcpAgent | undefined {
  if (!name.startsWith(start)) return undefined
  try {
    const words: unknown = JSON.parse(name.slice(start.length))
    const [program, ...args] = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : []
    return program === undefined ? undefined : { acp: [program, ...args] }
  } catch {
    return undefined // Somebody's own words.
  }
}
