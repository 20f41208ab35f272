import type { Credentials } from '../../spec/browser/credentials.ts'

/** Services with models that can carry out browser specs. */
export const providers = ['openai', 'anthropic', 'azure', 'google'] as const // names, for a union
export type Provider = (typeof providers)[number]

/** What options, front matter and command line say of browser specs. */
export interface BrowserSettings {
  /** Of the command line: before `MDTEST_PROVIDER`, which is before the option. */
  readonly provider?: string | undefined
  /** The option `provider`. */
  readonly defaultProvider?: string | undefined
  /** Of the command line: before `MDTEST_MODEL`, which is before the option. */
  readonly model?: string | undefined
  /** The option `model`. */
  readonly defaultModel?: string | undefined
  /** Where the provider is reached, its version included, in place of its own address. */
  readonly providerUrl?: string | undefined
  /** Address of the web application, without credentials. */
  readonly baseUrl?: string | undefined
  /** Those that stood in the address: for the browser alone. */
  readonly credentials?: Credentials
  /** Most requests to the model for one scenario, from 1. */
  readonly maxModelSteps: number
  /** Whether the browser shows itself. */
  readonly isHeaded: boolean
  /** Whether it opens pages whose certificate nobody vouches for. */
  readonly ignoresHttpsErrors?: boolean
}
