import { z } from 'zod'

const client = { name: 'mdtest', version: '1' }

/** `params` of `initialize` for an agent that may speak versions up to this one. Each reads the fields of its own version. */
export function initializeParams(version: 1 | 2): object {
  return {
    protocolVersion: version,
    clientInfo: client,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    ...(version === 2 && { info: client, capabilities: {} }),
  }
}

const program = z.object({ version: z.string() }).optional().catch(undefined)
const offer = z.unknown().optional()

/** The answer to it, of both versions. */
export const initializedSchema = z
  .object({
    protocolVersion: z.number(),
    agentInfo: program,
    agentCapabilities: z
      .object({
        mcpCapabilities: z.object({ http: z.boolean().optional() }).optional().catch(undefined),
        sessionCapabilities: z.object({ resume: offer }).optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
    info: program,
    capabilities: z
      .object({
        session: z
          .object({ mcp: z.object({ http: offer, stdio: offer }).optional().catch(undefined) })
          .optional()
          .catch(undefined),
      })
      .optional()
      .catch(undefined),
  })
  .transform(({ protocolVersion, agentInfo, agentCapabilities, info, capabilities }) => {
    // Some repeat the number that they were told, and speak version 1: they do not tell who they are, as version 2 asks.
    const version = protocolVersion === 2 && info === undefined ? 1 : protocolVersion
    const isSecond = version === 2
    const { http, stdio } = capabilities?.session?.mcp ?? {}
    return {
      version,
      program: isSecond ? info?.version : agentInfo?.version,
      capabilities: {
        canHttp: isSecond ? isOffered(http) : agentCapabilities?.mcpCapabilities?.http === true,
        // In version 1 each has to.
        canStdio: !isSecond || isOffered(stdio),
        canResume: isSecond || agentCapabilities?.sessionCapabilities?.resume !== undefined,
      },
    }
  })

/** Version 2: `{}` is an offer, nothing or `null` is none. */
function isOffered(value: unknown): boolean {
  return value !== undefined && value !== null
}
