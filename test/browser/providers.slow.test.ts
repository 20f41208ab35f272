import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { filesWith } from '../support/files-with.ts'
import { verdictsOf } from '../support/json-report.ts'
import { browse } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'

/** For each provider where it is reached, what a request to it looks like, and the header that has its key. */
const providers = {
  openai: { base: '/v1', path: '/v1/responses', header: 'authorization' },
  anthropic: { base: '/v1', path: '/v1/messages', header: 'x-api-key' },
  azure: { base: '/openai/v1', path: '/openai/v1/responses', header: 'api-key', model: 'my-deployment' },
  google: {
    base: '/v1beta',
    path: '/v1beta/models/gemini-3-pro-preview:generateContent',
    header: 'x-goog-api-key',
  },
}
const keys = {
  OPENAI_API_KEY: 'key-1',
  ANTHROPIC_API_KEY: 'key-2',
  AZURE_OPENAI_API_KEY: 'key-3',
  AZURE_OPENAI_RESOURCE_NAME: 'ours',
  GOOGLE_API_KEY: 'key-4',
}
const names = Object.keys(providers)

/** A project of Vitest for each provider. */
const configFor = (modelUrl: string): string => {
  const all = Object.entries(providers).map(([provider, { base, ...rest }]) => {
    const { model } = { model: undefined, ...rest }
    const options = {
      agent: 'browser',
      provider,
      minAssurance: 'observed',
      providerUrl: modelUrl + base,
      model,
      include: [`*.${provider}.test.md`],
    }
    return `{ plugins: [mdtest(${JSON.stringify(options)})], test: { name: '${provider}' } }`
  })
  return `import { mdtest } from 'vitest-mdtest'\nexport default { test: { projects: [${all.join(', ')}] } }\n`
}

describe.skipIf(skipReason !== '')(`providers${skipReason}`, () => {
  test('each carries out a spec in its own wire format, with its own key, which is written nowhere', async () => {
    await using shop = await startShop()
    const spec = await shopSpec('catalogue', shop.url)
    const files = Object.fromEntries(names.map((name) => [`catalogue.${name}.test.md`, spec]))
    await using browser = await createBrowserProject({ script: browse(shopScripts), config: configFor, files })
    const { project, model, env } = browser
    const { stdout, all } = await project.vitest(['run', '--reporter=json'], { env: { ...env, ...keys }, timeoutMs })
    expect(
      names.map((name) => [name, ...verdictsOf(stdout, `catalogue.${name}.test.md`)]),
      all,
    ).toEqual(names.map((name) => [name, 'pass observed', 'pass observed']))

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
