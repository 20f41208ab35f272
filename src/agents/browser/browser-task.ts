import { z } from 'zod'
import { mcpServersSchema } from '../../spec/mcp-servers.ts'
import { providers } from './browser-settings.ts'

/** Carries the task to the agent's process: keys must not stand in a command line. */
export const taskVariable = 'MDTEST_BROWSER_TASK'

const path = z.string()

/** What a browser is started with. */
export const browserLaunchSchema = z.object({
  /** A short path of an empty private folder, for all that browser and server write for themselves. */
  home: path,
  /** Program of Chrome or Chromium. */
  executablePath: path,
  isHeaded: z.boolean(),
  /** Root has no sandbox. */
  isSandboxed: z.boolean(),
  /** Cookies and storage to begin with. */
  storageState: path.exactOptional(),
})

/** Everything that the process of the agent `browser` needs to know. Paths are absolute. */
export const browserTaskSchema = z.object({
  systemPrompt: z.string(),
  /** The spec and what it includes: the model gets them as they are. */
  specFiles: z.array(path),
  cwd: path,
  model: z.object({
    provider: z.enum(providers),
    model: z.string(),
    apiKey: z.string(),
    url: z.string().exactOptional(),
    resourceName: z.string().exactOptional(),
  }),
  reports: z.object({ url: z.string(), token: z.string() }),
  launch: browserLaunchSchema,
  evidenceDir: path,
  maxModelSteps: z.number().int(),
  /** How many steps are to be reported. */
  stepCount: z.number().int(),
  mcpServers: mcpServersSchema,
  /** Where to keep cookies and storage at the end, for the browsers of other scenarios. */
  storageStateOut: path.exactOptional(),
})

export type BrowserTask = Readonly<z.infer<typeof browserTaskSchema>>
export type BrowserLaunch = Readonly<z.infer<typeof browserLaunchSchema>>
/** What is not known from the rest of the request. */
export type BrowserPart = Pick<
  BrowserTask,
  'model' | 'launch' | 'maxModelSteps' | 'stepCount' | 'evidenceDir' | 'storageStateOut'
>
