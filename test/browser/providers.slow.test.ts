import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { filesWith } from '../support/files-with.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'

/** For each provider its own variables, where it is reached, and what a request to it looks like. */
const providers = {
  openai: { env: { OPENAI_API_KEY: 'key-1' }, base: '/v1', path: '/v1/responses', header: 'authorization' },
  anthropic: { env: { ANTHROPIC_API_KEY: 'key-2' }, base: '/v1', path: '/v1/messages', header: 'x-api-key' },
  azure: {
    env: { AZURE_OPENAI_API_KEY: 'key-3', AZURE_OPENAI_RESOURCE_NAME: 'ours', MDTEST_MODEL: 'my-deployment' },
    base: '/openai/v1',
    path: '/openai/v1/responses',
    header: 'api-key',
  },
  google: {
    env: { GOOGLE_API_KEY: 'key-4' },
    base: '/v1beta',
    path: '/v1beta/models/gemini-3-pro-preview:generateContent',
    header: 'x-goog-api-key',
  },
} as const // names and headers are literals

describe.skipIf(skipReason !== '')(`providers${skipReason}`, () => {
  test('each carries out a spec in its own wire format, with its own key, which is written nowhere', async () => {
    await using shop = await startShop()
    const spec = await shopSpec('catalogue', shop.url)
    const files = Object.fromEntries(Object.keys(providers).map((name) => [`catalogue.${name}.test.md`, spec]))
    await using browser = await createBrowserProject({ script: browse(shopScripts), files })
    const { project, model, env } = browser
    const runs = Object.entries(providers).map(async ([name, provider]) => {
      const args = ['run', `catalogue.${name}.test.md`, '--provider', name, '--provider-url', model.url + provider.base]
      const { exitCode, all } = await project.mdtest(args, {
        env: { ...env, OPENAI_API_KEY: '', ...provider.env },
        timeoutMs,
      })
      return { name, exitCode, isGreen: /2 passed/.test(all), ...(exitCode === 0 ? {} : { all }) }
    })
    expect(await Promise.all(runs)).toEqual(
      Object.keys(providers).map((name) => ({ name, exitCode: 0, isGreen: true })),
    )

    const asked = model.requests.map(({ path, headers }) => {
      const provider = Object.values(providers).find((one) => one.path === path)
      return `${path} ${provider === undefined ? 'unknown' : headers[provider.header]}`
    })
    expect([...new Set(asked)].toSorted()).toEqual([
      '/openai/v1/responses key-3',
      '/v1/messages key-2',
      '/v1/responses Bearer key-1',
      '/v1beta/models/gemini-3-pro-preview:generateContent key-4',
    ])
    expect(model.strays).toEqual([])
    const ofAzure = model.requests.filter(({ path }) => path === providers.azure.path)
    expect(new Set(ofAzure.map(({ body }) => body.model))).toEqual(new Set(['my-deployment']))
    expect(ofAzure.flatMap(({ body }) => optionalIn(body.tools))).toEqual([])
    expect(
      model.requests.filter(({ path }) => path === '/v1/responses').flatMap(({ body }) => optionalIn(body.tools)),
    ).not.toEqual([])
    expect(filesWith('Milk jug', project.dir)).not.toEqual([])
    expect(filesWith('key-[1-4]', project.dir)).toEqual([])
  })
})

/** Properties that are not required, at any depth: Azure refuses tools with such. */
function optionalIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const below = Object.values(schema).flatMap(optionalIn)
  if (!('properties' in schema) || typeof schema.properties !== 'object' || schema.properties === null) return below
  const required = 'required' in schema && Array.isArray(schema.required) ? schema.required : []
  return [...Object.keys(schema.properties).filter((name) => !required.includes(name)), ...below]
}
