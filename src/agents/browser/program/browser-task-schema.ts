import { z } from 'zod'
import { mcpServersSchema } from '../../../spec/front-matter/mcp-servers-schema.ts'
import { providers } from '../browser-settings.ts'
import type { SpecPart } from '../../../spec/spec.ts'
import type { BrowserLaunch, BrowserProgramStart, BrowserTask } from '../browser-task.ts'

const path = z.string()

const launch = z.object({
  home: path,
  executablePath: path,
  isHeaded: z.boolean(),
  isSandboxed: z.boolean(),
  ignoresHttpsErrors: z.boolean().exactOptional(),
  httpCredentials: z.object({ username: z.string(), password: z.string(), origin: z.string() }).exactOptional(),
  storageState: path.exactOptional(),
}) satisfies z.ZodType<BrowserLaunch>

export const browserProgramStartSchema = z.object({
  launch,
  provider: z.enum(providers),
}) satisfies z.ZodType<BrowserProgramStart>

const part = z.object({
  file: path,
  line: z.number().int(),
  endLine: z.number().int().exactOptional(),
  kind: z.enum(['scenario', 'context', 'included', 'seed']),
}) satisfies z.ZodType<SpecPart>

export const browserTaskSchema = z.object({
  systemPrompt: z.string(),
  specFiles: z.array(path),
  parts: z.array(part).exactOptional(),
  cwd: path,
  baseUrl: z.string().exactOptional(),
  model: z.object({
    provider: z.enum(providers),
    model: z.string(),
    apiKey: z.string(),
    url: z.string().exactOptional(),
    resourceName: z.string().exactOptional(),
  }),
  reports: z.object({ url: z.string(), token: z.string() }),
  evidenceDir: path,
  maxModelSteps: z.number().int(),
  stepCount: z.number().int(),
  mcpServers: mcpServersSchema,
  storageStateOut: path.exactOptional(),
}) satisfies z.ZodType<BrowserTask>
