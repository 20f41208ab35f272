import type { Credentials } from '../../spec/browser/credentials.ts'
import type { SpecPart } from '../../spec/spec.ts'
import type { McpServers } from '../../spec/front-matter/mcp-servers.ts'
import type { BrowserSettings, Provider } from './browser-settings.ts'

/** Carries the task to the agent's process: keys must not stand in a command line. */
export const taskVariable = 'MDTEST_BROWSER_TASK'

interface OriginCredentials extends Credentials {
  readonly origin: string
}

/** What a browser is started with. */
export interface BrowserLaunch {
  /** A short path of an empty private folder, for all that browser and server write for themselves. */
  readonly home: string
  /** Program of Chrome or Chromium. */
  readonly executablePath: string
  readonly isHeaded: boolean
  /** Root has no sandbox. */
  readonly isSandboxed: boolean
  /** Whether it opens pages whose certificate nobody vouches for. */
  readonly ignoresHttpsErrors?: boolean
  /** For the application that asks for a password before anything else, by its origin. */
  readonly httpCredentials?: OriginCredentials
  /** Path of cookies and storage to begin with. */
  readonly storageState?: string
}

/** Everything that the process of the agent `browser` needs to know. Paths are absolute. */
export interface BrowserTask {
  readonly systemPrompt: string
  /** The spec and what it includes: the model gets them as they are. */
  readonly specFiles: readonly string[]
  /** What it gets instead, where it needs only a part of them. */
  readonly parts?: readonly SpecPart[]
  readonly cwd: string
  /** Address of the web application: relative ones are below it. */
  readonly baseUrl?: string
  readonly model: {
    readonly provider: Provider
    readonly model: string
    readonly apiKey: string
    readonly url?: string
    readonly resourceName?: string
  }
  readonly reports: { readonly url: string; readonly token: string }
  readonly launch: BrowserLaunch
  readonly evidenceDir: string
  readonly maxModelSteps: number
  /** Time of the scenario, in milliseconds. */
  readonly timeoutMs: number
  /** For all browsers of a run, absolute path: until when a provider wants to be left alone. */
  readonly pauseFile?: string
  /** How many steps are to be reported. */
  readonly stepCount: number
  readonly mcpServers: McpServers
  /** Where to keep cookies and storage at the end, for the browsers of other scenarios. */
  readonly storageStateOut?: string
}

/** What is not known from the rest of the request. */
export type BrowserPart = Pick<
  BrowserTask,
  | 'model'
  | 'launch'
  | 'maxModelSteps'
  | 'timeoutMs'
  | 'pauseFile'
  | 'stepCount'
  | 'evidenceDir'
  | 'storageStateOut'
  | 'baseUrl'
>

/** What of it a browser is started with. */
export function launchSettings({
  isHeaded,
  ignoresHttpsErrors = false,
  baseUrl,
  credentials,
}: BrowserSettings): Pick<BrowserLaunch, 'isHeaded' | 'ignoresHttpsErrors' | 'httpCredentials'> {
  const isForOne = credentials !== undefined && baseUrl !== undefined
  return {
    isHeaded,
    ignoresHttpsErrors,
    ...(isForOne && { httpCredentials: { ...credentials, origin: new URL(baseUrl).origin } }),
  }
}
