import { MdtestError } from '../../system/mdtest-error.ts'
import { providers, type BrowserSettings, type Provider } from './browser-settings.ts'

/** A model, where it is reached and with what key. */
export interface ModelChoice {
  readonly provider: Provider
  /** Name of the model; for Azure of the deployment. */
  readonly model: string
  readonly apiKey: string
  /** In place of the provider's own address, its version included. */
  readonly url?: string
  /** Of Azure. */
  readonly resourceName?: string
}

type Environment = Readonly<Record<string, string | undefined>>

interface ProviderFacts {
  readonly model: string
  readonly keyName: string
  /** Variable with an address of its own, as the provider's SDK knows it. */
  readonly urlName?: string
}

const facts: Readonly<Record<Provider, ProviderFacts>> = {
  openai: { model: 'gpt-5.2', keyName: 'OPENAI_API_KEY', urlName: 'OPENAI_BASE_URL' },
  anthropic: { model: 'claude-sonnet-4-5', keyName: 'ANTHROPIC_API_KEY', urlName: 'ANTHROPIC_BASE_URL' },
  azure: { model: 'gpt-5.2', keyName: 'AZURE_OPENAI_API_KEY' },
  google: { model: 'gemini-3-pro-preview', keyName: 'GOOGLE_API_KEY' },
}

const azureResource = 'AZURE_OPENAI_RESOURCE_NAME'

/**
 * The model that carries out browser specs: command line, then environment, then option, then default.
 * @throws {MdtestError} where the provider is unknown or its key is missing.
 */
export function resolveModel(settings: BrowserSettings, env: Environment): ModelChoice {
  const provider = knownProvider(
    settings.provider ?? valueOf(env, 'MDTEST_PROVIDER') ?? settings.defaultProvider ?? 'openai',
  )
  const { model, keyName, urlName } = facts[provider]
  const url = settings.providerUrl ?? (urlName === undefined ? undefined : valueOf(env, urlName))
  const resourceName = provider === 'azure' ? valueOf(env, azureResource) : undefined
  if (provider === 'azure' && url === undefined && resourceName === undefined) throw missing(provider, azureResource)
  return {
    provider,
    model: settings.model ?? valueOf(env, 'MDTEST_MODEL') ?? settings.defaultModel ?? model,
    apiKey: valueOf(env, keyName) ?? raise(missing(provider, keyName)),
    ...(url !== undefined && { url: url.replace(/\/+$/, '') }),
    ...(resourceName !== undefined && { resourceName }),
  }
}

/** An empty variable is none. */
function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function knownProvider(name: string): Provider {
  const provider = providers.find((known) => known === name)
  if (provider !== undefined) return provider
  throw new MdtestError('OPTION_INVALID', `Unknown provider \`${name}\`.`, {
    hint: `Known are ${providers.join(', ')}: choose one with \`--provider\`, \`MDTEST_PROVIDER\` or the option \`provider\`.`,
  })
}

function missing(provider: Provider, variable: string): MdtestError {
  return new MdtestError('AGENT_KEY_MISSING', `The provider \`${provider}\` needs the variable \`${variable}\`.`, {
    hint: 'Set it in the environment or in the file `.env` of the suite root.',
  })
}

function raise(error: MdtestError): never {
  throw error
}
