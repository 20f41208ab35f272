import type { SignInSettings } from '../../sign-in/sign-in.ts'
import type { Credentials } from '../../spec/browser/credentials.ts'

export const providers = ['openai', 'anthropic', 'azure', 'google'] as const // names, for a union
export type Provider = (typeof providers)[number]

export interface BrowserSettings {
  /** Of the command line: before `MDTEST_PROVIDER`, which is before the option, `defaultProvider`. */
  readonly provider?: string | undefined
  readonly defaultProvider?: string | undefined
  /** Of the command line: before `MDTEST_MODEL`, which is before the option, `defaultModel`. */
  readonly model?: string | undefined
  readonly defaultModel?: string | undefined
  /** Where the provider is reached, its version included, in place of its own address. */
  readonly providerUrl?: string | undefined
  readonly baseUrl?: string | undefined
  /** Those that stood in the address: for the browser alone. */
  readonly credentials?: Credentials
  readonly maxModelSteps: number
  readonly isHeaded: boolean
  /** Whether what logins leave is kept for later runs. */
  readonly savesLogins?: boolean
  /** Whether it opens pages whose certificate nobody vouches for. */
  readonly ignoresHttpsErrors?: boolean
  readonly signIn?: SignInSettings
}

export interface ModelChoice {
  readonly provider: Provider
  readonly model: string
  readonly apiKey: string
  /** In place of the provider's own address, its version included. */
  readonly baseURL?: string
  readonly resourceName?: string
}
