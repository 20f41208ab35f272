import { z } from 'zod'
import type { AttachedServers } from '../../attached-servers.ts'
import type { AcpTask } from '../acp-task.ts'

const texts = z.array(z.string())
const textsByName = z.record(z.string(), z.string())
const common = { tools: texts.exactOptional(), replayable: texts.exactOptional() }

const server = z.union([
  z.object({ ...common, command: z.string(), args: texts.exactOptional(), env: textsByName.exactOptional() }),
  z.object({
    ...common,
    type: z.literal('http').exactOptional(),
    url: z.string(),
    headers: textsByName.exactOptional(),
  }),
])

export const acpTaskSchema = z.object({
  prompt: z.string(),
  cwd: z.string(),
  title: z.string(),
  argv: z.tuple([z.string()], z.string()),
  variables: textsByName,
  passwords: texts,
  tellsTokensOfSession: z.boolean(),
  guessesKinds: z.boolean(),
  errorStart: z.string().exactOptional(),
  sessionId: z.string().exactOptional(),
  dropsPrograms: z.boolean(),
  mcpServers: z.record(z.string(), server) satisfies z.ZodType<AttachedServers>,
  reports: z.object({ url: z.string(), token: z.string() }).exactOptional(),
  gate: z.object({
    allow: texts,
    dangerouslyAllowAllActions: z.boolean(),
    roots: texts,
    writable: texts,
    isLookingOnly: z.boolean(),
  }),
}) satisfies z.ZodType<AcpTask>
