import { z } from 'zod'
import { ownFile } from '../../../system/own-package.ts'

/** Holds the server behind the bridge, as JSON. */
export const bridgeVariable = 'MDTEST_MCP_SERVER'

export const bridgedSchema = z.object({ url: z.string(), headers: z.record(z.string(), z.string()).exactOptional() })

/** A server on standard streams that hands everything on to one that is reached by HTTP. */
export function bridgeTo({ url, headers }: z.infer<typeof bridgedSchema>): {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
} {
  const program = ownFile('#acp-bridge')
  const env = { [bridgeVariable]: JSON.stringify({ url, ...(headers && { headers }) }) }
  return { command: process.execPath, args: [program], env }
}
