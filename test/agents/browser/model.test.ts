import { describe, expect, test } from 'vitest'
import { resolveModel } from '../../../src/agents/browser/model.ts'

const plain = { maxModelSteps: 50, isHeaded: false }
const keys = { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a', AZURE_OPENAI_API_KEY: 'z', GOOGLE_API_KEY: 'g' }

describe('the model of browser specs', () => {
  test('is that of the command line, then of the environment, then of the option, then a default', () => {
    const options = { ...plain, defaultProvider: 'google', defaultModel: 'of-option' }
    const env = { ...keys, MDTEST_PROVIDER: 'anthropic', MDTEST_MODEL: 'of-environment' }
    const asked = { ...options, provider: 'openai', model: 'of-flag' }
    expect(resolveModel(asked, env)).toEqual({ provider: 'openai', model: 'of-flag', apiKey: 'o' })
    expect(resolveModel(options, env)).toEqual({ provider: 'anthropic', model: 'of-environment', apiKey: 'a' })
    expect(resolveModel(options, keys)).toEqual({ provider: 'google', model: 'of-option', apiKey: 'g' })
    expect(resolveModel(plain, { ...keys, MDTEST_PROVIDER: '' })).toMatchObject({
      provider: 'openai',
      model: 'gpt-5.2',
    })
  })

  test('is reached where the setting says, then where the variable of the provider does', () => {
    const env = { ...keys, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
    expect(resolveModel(plain, env).baseURL).toBe('http://127.0.0.1:1/v1')
    expect(resolveModel({ ...plain, providerUrl: 'http://127.0.0.1:2/v1/' }, env).baseURL).toBe('http://127.0.0.1:2/v1')
  })

  test.each([
    ['openai', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['azure', 'AZURE_OPENAI_API_KEY'],
    ['google', 'GOOGLE_API_KEY'],
  ])('of %s needs %s', (provider, variable) => {
    const env = { ...keys, AZURE_OPENAI_RESOURCE_NAME: 'r', [variable]: '' }
    expect(() => resolveModel({ ...plain, provider }, env)).toThrow(
      `The provider \`${provider}\` needs the variable \`${variable}\`. Set it in the environment or in the file \`.env\``,
    )
  })

  test('of Azure needs the name of a resource, or an address in its place', () => {
    const azure = { ...plain, provider: 'azure' }
    expect(() => resolveModel(azure, keys)).toThrow('needs the variable `AZURE_OPENAI_RESOURCE_NAME`')
    expect(resolveModel({ ...azure, providerUrl: 'http://127.0.0.1:1' }, keys)).not.toHaveProperty('resourceName')
    expect(resolveModel(azure, { ...keys, AZURE_OPENAI_RESOURCE_NAME: 'r' }).resourceName).toBe('r')
  })

  test('is of a provider that is known', () => {
    expect(() => resolveModel(plain, { ...keys, MDTEST_PROVIDER: 'acme' })).toThrow(
      'Unknown provider `acme`. Known are openai, anthropic, azure, google: choose one with `--provider`, `MDTEST_PROVIDER` or the option `provider`.',
    )
  })
})
