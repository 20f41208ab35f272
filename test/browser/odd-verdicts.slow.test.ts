import type { Summary } from '../../src/report/folder/summary.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { providerNames, providers, type ProviderName } from '../support/browser-agent.ts'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { verdictsOf } from '../support/json-report.ts'
import type { ModelReply } from '../support/model-server.ts'
import { specName } from '../support/scripts/browse.ts'
import { readSteps } from '../support/scripts/read-task.ts'
import { startShop } from '../support/start-shop.ts'

const keys = {
  OPENAI_API_KEY: 'key-1',
  ANTHROPIC_API_KEY: 'key-2',
  AZURE_OPENAI_API_KEY: 'key-3',
  AZURE_OPENAI_RESOURCE_NAME: 'ours',
  GOOGLE_API_KEY: 'key-4',
}
const spec = '# Shop\n\nOpen the start page.\n'
const sorry = 'I cannot help with that.'
const call = (name: string, input: object): ModelReply => ({ kind: 'answer', calls: [{ name, input: { ...input } }] })

/** By the name of the spec, what the model does after so many calls. */
const models: Readonly<Record<string, (asked: Conversation) => readonly ModelReply[]>> = {
  'quotes-a-failure': (asked) => [
    call('browser_navigate', { url: '/' }),
    call('browser_click', { target: '#nowhere' }),
    report(asked, /does not match any elements/.exec(asked.results[1]?.text ?? '')?.[0]),
  ],
  'quotes-the-page': (asked) => [
    call('browser_navigate', { url: '/' }),
    call('browser_click', { target: '#nowhere' }),
    report(asked, /heading "Our products"/.exec(asked.results[0]?.text ?? '')?.[0]),
  ],
  refuses: () => [call('browser_navigate', { url: '/' }), { kind: 'answer', text: sorry, ending: 'refusal' }],
}

function report({ system }: Conversation, quote: string | undefined): ModelReply {
  return call('report_step', { step: readSteps(system)[0]?.id, status: 'pass', evidence: [{ quote }] })
}

/** What became of the specs of a provider, and what is shown of them afterwards. */
interface Told {
  readonly verdicts: Readonly<Record<string, readonly string[]>>
  readonly all: string
  /** Of the refusal. */
  readonly shown: string
  readonly reported: string
}

describe.skipIf(skipReason !== '')(`verdicts on odd models${skipReason}`, () => {
  const told = new Map<ProviderName, Told>()
  beforeAll(async () => {
    await using shop = await startShop()
    const names = Object.keys(models)
    const files = providerNames.flatMap((provider) => names.map((name) => [`${provider}/${name}.test.md`, spec]))
    await using browser = await createBrowserProject({
      script(asked) {
        if (asked.isSideRequest) return { kind: 'answer', text: 'OK' }
        return models[specName(asked)]?.(asked)[asked.results.length] ?? { kind: 'answer', text: 'Done.' }
      },
      options: { baseUrl: shop.url },
      files: Object.fromEntries(files),
    })
    const { project, model, env } = browser
    for (const provider of providerNames) {
      const { base, model: name } = providers[provider]
      const args = ['--provider', provider, '--model', name, '--provider-url', model.url + base]
      const run = await project.mdtest(['run', provider, ...args, '--reporter=json', `--report=${provider}-report`], {
        env: { ...env, ...keys },
        timeoutMs,
      })
      const { all: shown } = await project.mdtest(['show', `${provider}/refuses.test.md`])
      const summary = await project.read(`${provider}-report/summary.js`)
      const { specs } = JSON.parse(summary.replace(/^var mdtestSummary=/, '')) as Summary // what mdtest wrote
      const key = specs.find(({ anchor }) => anchor.endsWith('/refuses.test.md'))?.key
      const reported = await project.read(`${provider}-report/specs/${key}.js`)
      const verdicts = Object.fromEntries(names.map((each) => [each, verdictsOf(run.stdout, `${each}.test.md`)]))
      told.set(provider, { verdicts, all: run.all, shown, reported })
    }
  }, timeoutMs)

  test.each(providerNames)('%s: what a failed call printed proves nothing, and a refusal is no failure', (provider) => {
    expect(told.get(provider)?.verdicts, told.get(provider)?.all).toEqual({
      'quotes-a-failure': ['pass observed'],
      'quotes-the-page': ['pass evidenced'],
      refuses: ['blocked MODEL_UNAVAILABLE'],
    })
  })

  test.each(providerNames)('%s: `mdtest show` and the report say how a refusal ended', (provider) => {
    const { shown = '', reported = '' } = told.get(provider) ?? {}
    for (const text of [shown, reported]) {
      expect(text).toMatch(/finish reason \S{0,20}content-filter/)
      expect(text).toContain(sorry)
    }
  })
})
