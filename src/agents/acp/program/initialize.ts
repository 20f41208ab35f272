import { z } from 'zod'

/** `params` of `initialize`: mdtest speaks version 1 of ACP. */
export const initializeParams = {
  protocolVersion: 1,
  clientInfo: { name: 'mdtest', version: '1' },
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
}

/** The answer to it. */
export const initializedSchema = z.object({
  protocolVersion: z.number(),
  agentInfo: z.object({ version: z.string() }).optional().catch(undefined),
  agentCapabilities: z
    .object({
      mcpCapabilities: z.object({ http: z.boolean().optional() }).optional().catch(undefined),
      sessionCapabilities: z.object({ resume: z.unknown().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})
