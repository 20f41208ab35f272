import type { SignInSettings } from '../../sign-in/secrets-and-origins.ts'
import type { Credentials } from '../../spec/browser/credentials.ts'
import type { SavedLogins } from '../../spec/front-matter/front-matter.ts'

export const providers = ['openai', 'anthropic', 'azure', 'google'] as const // names, for a union
export type Provider = (typeof providers)[number]

export interface BrowserSettings {
  /** From `--provider`, which outranks `MDTEST_PROVIDER` and the option (`defaultProvider`). */
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
  readonly baseURL?: string
  readonly resourceName?: string
}
