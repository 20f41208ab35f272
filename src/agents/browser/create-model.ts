import type { LanguageModel } from 'ai'
import { loadPeer } from '../load-peer.ts'
import type { ModelChoice } from './resolve-model.ts'

/** A model of the AI SDK with what each request to it says besides. */
export interface CreatedModel {
  readonly model: Extract<LanguageModel, { specificationVersion: 'v3' }>
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, boolean>>>>
}

// One page: calls come one at a time. Nothing of a test is kept by the provider.
const ofOpenai = { store: false, parallelToolCalls: false }

const packages = {
  openai: () => loadPeer('@ai-sdk/openai', () => import('@ai-sdk/openai')),
  anthropic: () => loadPeer('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic')),
  azure: () => loadPeer('@ai-sdk/azure', () => import('@ai-sdk/azure')),
  google: () => loadPeer('@ai-sdk/google', () => import('@ai-sdk/google')),
}

/** Loads what a model of this provider takes before there is anything to ask it. Never rejects: whoever asks it hears why. */
export async function preloadModel(provider: ModelChoice['provider']): Promise<void> {
  await Promise.allSettled([packages[provider](), loadPeer('ai', () => import('ai'))])
}

/** Loads the provider's package. Keys are passed on: the SDK would read other variables. */
export async function createModel({ provider, model, apiKey, url, resourceName }: ModelChoice): Promise<CreatedModel> {
  const access = { apiKey, ...(url !== undefined && { baseURL: url }) }
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await packages.openai()
      return { model: createOpenAI(access)(model), providerOptions: { openai: ofOpenai } }
    }
    case 'anthropic': {
      const { createAnthropic } = await packages.anthropic()
      return {
        model: createAnthropic(access)(model),
        providerOptions: { anthropic: { disableParallelToolUse: true } },
      }
    }
    case 'azure': {
      const { createAzure } = await packages.azure()
      const azure = createAzure({ ...access, ...(resourceName !== undefined && { resourceName }) })
      return { model: azure(model), providerOptions: { azure: ofOpenai, openai: ofOpenai } }
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await packages.google()
      return { model: createGoogleGenerativeAI(access)(model), providerOptions: {} }
    }
    default:
      return provider satisfies never
  }
}
