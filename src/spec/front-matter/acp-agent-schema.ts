import { z } from 'zod'

/** `AcpAgent`, as options, front matter and configuration have it. */
export const acpAgentSchema = z.strictObject({ acp: z.tuple([z.string().min(1)], z.string().min(1)).readonly() })
