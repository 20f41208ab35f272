import type { SignIn, SignInSettings } from '../../login/secrets-and-origins.ts'
import type { Credentials } from '../../spec/browser/credentials.ts'
import type { McpServers, SavedLogins } from '../../spec/front-matter/front-matter.ts'
import type { SpecPart } from '../../spec/spec.ts'

export const providers = ['openai', 'anthropic', 'azure', 'google'] as const
export type Provider = (typeof providers)[number]

export interface BrowserSettings {
  /** Precedence: the flag `--provider`, then `MDTEST_PROVIDER`, then the option (`defaultProvider`). */
  readonly provider?: string | undefined
  readonly defaultProvider?: string | undefined
  readonly model?: string | undefined
  readonly defaultModel?: string | undefined
  /** URL of the provider's API, including its version. Default: the provider's own. */
  readonly providerUrl?: string | undefined
  readonly baseUrl?: string | undefined
  /** User and password that were part of the base URL. Only the browser gets them. */
  readonly credentials?: Credentials
  readonly maxModelSteps: number
  readonly isHeaded: boolean
  /** The front matter's `login` entries by user. */
  readonly savedLogins?: SavedLogins | undefined
  readonly savesLogins?: boolean
  readonly ignoresHttpsErrors?: boolean
  readonly signIn?: SignInSettings
}

export interface ModelChoice {
  readonly provider: Provider
  readonly model: string
  readonly apiKey: string
  /** URL of the provider's API, not of the web application. Default: the provider's own. */
  readonly baseURL?: string
  readonly resourceName?: string
}

export interface BrowserLaunch {
  /** Empty private folder with a short path, for all files that browser and server write. */
  readonly home: string
  readonly executablePath: string
  readonly isHeaded: boolean
  readonly ignoresHttpsErrors?: boolean
  readonly httpCredentials?: Credentials & { readonly origin: string }
}

/** Settings of a browser server. A separate process reads them as JSON, so paths are absolute. */
export interface BrowserPlace {
  readonly launch: BrowserLaunch
  readonly evidenceDir: string
  /** Only files in this folder can be uploaded. */
  readonly cwd: string
  readonly baseUrl?: string
  readonly storageStates?: StorageStates
  /** File to save cookies and storage to, for the browsers of other scenarios. */
  readonly storageStateOut?: string
  readonly signIn?: SignIn
}

/** Files with cookies and storage, by user. The browser of a user without a file starts empty. */
export type StorageStates = Readonly<Record<string, string | undefined>>

/** The part of a request that only the agent `browser` needs. */
export interface BrowserPart extends BrowserPlace {
  readonly model: ModelChoice
  readonly maxModelSteps: number
  readonly stepCount: number
}

/** The task of the agent `browser`, which its process reads as one line of JSON. Paths are absolute. */
export interface BrowserTask extends BrowserPart {
  readonly systemPrompt: string
  readonly specFiles: readonly string[]
  /** Parts of files that the model gets instead of `specFiles`; absent if the model needs whole files. */
  readonly parts?: readonly SpecPart[]
  readonly reports: { readonly url: string; readonly token: string }
  readonly mcpServers: McpServers
}

export type LaunchSettings = Pick<BrowserSettings, 'isHeaded' | 'ignoresHttpsErrors' | 'baseUrl' | 'credentials'>

export function launchSettings(settings: LaunchSettings): Omit<BrowserLaunch, 'home' | 'executablePath'> {
  const { isHeaded, ignoresHttpsErrors = false, baseUrl, credentials } = settings
  const launch = { isHeaded, ignoresHttpsErrors }
  if (credentials === undefined || baseUrl === undefined) return launch
  return { ...launch, httpCredentials: { ...credentials, origin: new URL(baseUrl).origin } }
}
