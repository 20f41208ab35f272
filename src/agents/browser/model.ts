import type { LanguageModel } from 'ai'
import { MdtestError } from '../../system/mdtest-error.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { Environment } from '../env-file.ts'
import { loadPeer } from '../load-peer.ts'
import { providers, type BrowserSettings, type ModelChoice, type Provider } from './browser-settings.ts'

export interface CreatedModel {
  readonly model: Extract<LanguageModel, { specificationVersion: 'v3' }>
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, boolean>>>>
}

interface Service {
  readonly model: string
  readonly keyName: string
  readonly urlName?: string
  /** `access` must contain the key: otherwise the SDK would look for a key in its own variables. */
  create(access: Omit<ModelChoice, 'provider' | 'model'>, model: string): Promise<CreatedModel>
}

// Calls must not be parallel, because there is only one page. With `store`, OpenAI would keep test data.
const ofOpenai = { store: false, parallelToolCalls: false }

const services: Readonly<Record<Provider, Service>> = {
  openai: {
    ...{ model: 'gpt-5.2', keyName: 'OPENAI_API_KEY', urlName: 'OPENAI_BASE_URL' },
    async create(access, model) {
      const { createOpenAI } = await loadPeer('@ai-sdk/openai', () => import('@ai-sdk/openai'))
      return { model: createOpenAI(access)(model), providerOptions: { openai: ofOpenai } }
    },
  },
  anthropic: {
    ...{ model: 'claude-sonnet-4-5', keyName: 'ANTHROPIC_API_KEY', urlName: 'ANTHROPIC_BASE_URL' },
    async create(access, model) {
      const { createAnthropic } = await loadPeer('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'))
      return { model: createAnthropic(access)(model), providerOptions: { anthropic: { disableParallelToolUse: true } } }
    },
  },
  azure: {
    ...{ model: 'gpt-5.2', keyName: 'AZURE_OPENAI_API_KEY' },
    async create(access, model) {
      const { createAzure } = await loadPeer('@ai-sdk/azure', () => import('@ai-sdk/azure'))
      return { model: createAzure(access)(model), providerOptions: { azure: ofOpenai, openai: ofOpenai } }
    },
  },
  google: {
    ...{ model: 'gemini-3-pro-preview', keyName: 'GOOGLE_API_KEY' },
    async create(access, model) {
      const { createGoogleGenerativeAI } = await loadPeer('@ai-sdk/google', () => import('@ai-sdk/google'))
      return { model: createGoogleGenerativeAI(access)(model), providerOptions: {} }
    },
  },
}

/** Loads the packages for the model, without any request. @throws {MdtestError} if a package is missing. */
export async function createModel({ provider, model, ...access }: ModelChoice): Promise<CreatedModel> {
  await loadPeer('ai', () => import('ai'))
  return services[provider].create(access, model)
}

const azureResource = 'AZURE_OPENAI_RESOURCE_NAME'

/** Precedence: command line, environment, option, default. @throws {MdtestError} if a key is missing. */
export function resolveModel(settings: BrowserSettings, env: Environment): ModelChoice {
  const asked = settings.provider ?? valueOf(env, 'MDTEST_PROVIDER') ?? settings.defaultProvider ?? 'openai'
  const provider = providers.find((known) => known === asked)
  if (provider === undefined) {
    throw new MdtestError('OPTION_INVALID', `Unknown provider \`${asked}\`.`, {
      hint: `Known are ${providers.join(', ')}: choose one with \`--provider\`, \`MDTEST_PROVIDER\` or the option \`provider\`.`,
    })
  }
  const { model, keyName, urlName } = services[provider]
  const baseURL = settings.providerUrl ?? (urlName === undefined ? undefined : valueOf(env, urlName))
  const resourceName = provider === 'azure' ? valueOf(env, azureResource) : undefined
  const apiKey = valueOf(env, keyName)
  const lacksResource = provider === 'azure' && baseURL === undefined && resourceName === undefined
  if (lacksResource || apiKey === undefined) {
    const variable = lacksResource ? azureResource : keyName
    throw new MdtestError('AGENT_KEY_MISSING', `The provider \`${provider}\` needs the variable \`${variable}\`.`, {
      hint: 'Set it in the environment or in the file `.env` of the suite root.',
    })
  }
  return withoutUndefined<ModelChoice>({
    ...{ provider, apiKey, resourceName },
    model: settings.model ?? valueOf(env, 'MDTEST_MODEL') ?? settings.defaultModel ?? model,
    baseURL: baseURL?.replace(/\/+$/, ''),
  })
}

function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}
