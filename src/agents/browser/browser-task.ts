import type { Credentials } from '../../spec/browser/credentials.ts'
import type { SpecPart } from '../../spec/spec.ts'
import type { McpServers } from '../../spec/front-matter/mcp-servers.ts'
import type { BrowserSettings, Provider } from './browser-settings.ts'

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

/**
 * What the process of the agent `browser` is told first, in one line: with it the browser is opened, perhaps before there
 * is a scenario for it.
 */
export interface BrowserProgramStart {
  readonly launch: BrowserLaunch
  readonly provider: Provider
}

/** What it is told then, in a second line: everything of its scenario. Paths are absolute. */
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
  readonly evidenceDir: string
  readonly maxModelSteps: number
  /** How many steps are to be reported. */
  readonly stepCount: number
  readonly mcpServers: McpServers
  /** Where to keep cookies and storage at the end, for the browsers of other scenarios. */
  readonly storageStateOut?: string
}

/** A line for the program. Keys and tokens must not stand in a command line. */
export function lineFor(told: BrowserProgramStart | BrowserTask): string {
  return `${JSON.stringify(told)}\n`
}

/** What is not known from the rest of the request. */
export interface BrowserPart extends Pick<
  BrowserTask,
  'model' | 'maxModelSteps' | 'stepCount' | 'evidenceDir' | 'storageStateOut' | 'baseUrl'
> {
  readonly launch: BrowserLaunch
}

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
