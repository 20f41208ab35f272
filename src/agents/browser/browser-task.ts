import type { Credentials } from '../../spec/browser/credentials.ts'
import type { McpServers } from '../../spec/front-matter/front-matter.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import type { SpecPart } from '../../spec/spec.ts'
import type { BrowserSettings, ModelChoice } from './browser-settings.ts'

export interface BrowserLaunch {
  /** A short path of an empty private folder, for all that browser and server write for themselves. */
  readonly home: string
  readonly executablePath: string
  readonly isHeaded: boolean
  readonly isSandboxed: boolean
  readonly ignoresHttpsErrors?: boolean
  /** For the application that asks for a password before anything else, by its origin. */
  readonly httpCredentials?: Credentials & { readonly origin: string }
}

/** Where a browser server works, and on what: also, as JSON, what its program reads. Paths are absolute. */
export interface BrowserPlace {
  readonly launch: BrowserLaunch
  readonly evidenceDir: string
  /** Files below it can be uploaded. */
  readonly cwd: string
  /** Address of the web application: relative ones are below it. */
  readonly baseUrl?: string
  readonly storageStates?: StorageStates
  /** Where to keep cookies and storage, for the browsers of other scenarios. */
  readonly storageStateOut?: string
  readonly signIn?: SignIn
}

/** Files with cookies and storage, by user: those whose browser begins with nothing have none. */
export type StorageStates = Readonly<Record<string, string>>

/** What the rest of a request does not say to the agent `browser`. */
export interface BrowserPart extends BrowserPlace {
  readonly model: ModelChoice
  readonly maxModelSteps: number
  readonly stepCount: number
}

/** What the process of the agent `browser` is told, in one line. Paths are absolute. */
export interface BrowserTask extends BrowserPart {
  readonly systemPrompt: string
  /** The spec and what it includes: the model gets them as they are. */
  readonly specFiles: readonly string[]
  /** What it gets instead, where it needs only a part of them. */
  readonly parts?: readonly SpecPart[]
  readonly reports: { readonly url: string; readonly token: string }
  readonly mcpServers: McpServers
}

export type LaunchSettings = Pick<BrowserSettings, 'isHeaded' | 'ignoresHttpsErrors' | 'baseUrl' | 'credentials'>

export function launchSettings(
  settings: LaunchSettings,
): Pick<BrowserLaunch, 'isHeaded' | 'ignoresHttpsErrors' | 'httpCredentials' | 'isSandboxed'> {
  const { isHeaded, ignoresHttpsErrors = false, baseUrl, credentials } = settings
  // Chromium has no sandbox for root, and does not start with one.
  const launch = { isHeaded, ignoresHttpsErrors, isSandboxed: process.getuid?.() !== 0 }
  if (credentials === undefined || baseUrl === undefined) return launch
  return { ...launch, httpCredentials: { ...credentials, origin: new URL(baseUrl).origin } }
}
