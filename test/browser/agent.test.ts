import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Summary } from '../../src/report/folder/summary.ts'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Finished } from '../support/create-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { leftAfter } from '../support/leftovers.ts'
import type { ModelScript } from '../support/model-server.ts'
import { startOddPages } from '../support/odd-pages.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'

const passed = 'pass observed'
const sorry = 'I cannot help with that.'

const blocks = readFileSync(new URL('../../fixtures/shop/specs/blocks.test.md', import.meta.url), 'utf8')

/** A reporter that writes down what is attached to tests. */
const attachmentReporter = `import { appendFileSync } from 'node:fs'
export default class {
  onTestCaseAnnotate(test, { attachment }) {
    if (attachment) appendFileSync('attached.txt', attachment.contentType + ' of ' + test.fullName + '\\n')
  }
}
`

interface Run extends Finished {
  readonly conversations: readonly Conversation[]
  readonly strays: readonly string[]
  readonly attached: string
  /** Pictures that verdicts name, by spec, and those that are not there. */
  readonly pictures: Readonly<Record<string, number>>
  readonly missing: readonly string[]
  /** What `mdtest show` and the report say of the refusal. */
  readonly told: readonly string[]
  readonly left: readonly string[]
  readonly temporary: readonly string[]
}

/**
 * Specs at once, in one start: two for a shop in which coupons count for nothing, one whose model refuses, and one of blocks
 * without a model.
 */
async function runAll(): Promise<Run> {
  await using shop = await startShop('coupon-ignored')
  await using rightShop = await startShop()
  await using pages = await startOddPages()
  const script: ModelScript = (conversation) =>
    specName(conversation) === 'refuses' && conversation.results.length > 0
      ? { kind: 'answer', text: sorry, ending: 'refusal' }
      : browse({ ...shopScripts, refuses: shopScripts.account })(conversation)
  const files: Record<string, string> = {
    'attached.mjs': attachmentReporter,
    'blocks.test.md': blocks.replaceAll('SHOP', rightShop.url).replace('ODD_PAGES', pages.url),
  }
  for (const name of ['cart', 'account']) files[`${name}.test.md`] = await shopSpec(name, shop.url)
  files['refuses.test.md'] = files['account.test.md'] ?? ''
  await using browser = await createBrowserProject({
    script: togetherAtFirst(['cart', 'account', 'refuses'], script),
    files,
  })
  const { project, env, model } = browser
  const reporters = ['json', './attached.mjs', 'vitest-mdtest/reporter'].map((name) => `--reporter=${name}`)
  // By the folder in it the processes of blocks are found: nothing else of theirs names it.
  const PATH = `${process.env.PATH}:${project.dir}`
  const finished = await project.vitest(['run', ...reporters], { env: { ...env, PATH }, timeoutMs })
  const left = await leftAfter(project.dir, 60_000)
  const images: Record<string, readonly string[]> = {}
  for (const name of ['cart', 'account']) {
    const folder = readJsonReport(finished.stdout)[`${name}.test.md`]?.[0]?.log?.replace('.log.md', '') ?? ''
    const verdict: { readonly images: string[]; readonly steps: readonly { readonly images: string[] }[] } = JSON.parse(
      await project.read(`${folder}.verdict.json`),
    )
    const all = [...verdict.steps.flatMap((step) => step.images), ...verdict.images]
    images[name] = all.map((image) => project.path(`${folder}/${image}`))
  }
  const { all: shown } = await project.mdtest(['show', 'refuses.test.md'])
  const summary = await project.read('mdtest-report/summary.js')
  const { specs } = JSON.parse(summary.replace(/^var mdtestSummary=/, '')) as Summary // what mdtest wrote
  const key = specs.find(({ anchor }) => anchor === 'refuses.test.md')?.key
  return {
    ...finished,
    conversations: model.conversations,
    strays: model.strays,
    attached: await project.read('attached.txt'),
    pictures: Object.fromEntries(Object.entries(images).map(([name, all]) => [name, all.length])),
    missing: Object.values(images)
      .flat()
      .filter((image) => !existsSync(image)),
    told: [shown, await project.read(`mdtest-report/specs/${key}.js`)],
    left,
    temporary: readdirSync(env.TMPDIR ?? ''),
  }
}

/** Holds each model back after its first action, until the models of all specs have come so far. */
function togetherAtFirst(names: readonly string[], script: ModelScript): ModelScript {
  const there = new Set<string>()
  let letAllGo = (): void => {}
  const allAreThere = new Promise<void>((resolve) => (letAllGo = resolve))
  return async (conversation) => {
    if (conversation.results.length === 1) {
      there.add(specName(conversation))
      if (names.every((name) => there.has(name))) letAllGo()
      await allAreThere
    }
    return script(conversation)
  }
}

describe.skipIf(skipReason !== '')(`a model that drives a browser${skipReason}`, () => {
  let run: Run
  beforeAll(async () => {
    run = await runAll()
  }, timeoutMs + 60_000)

  test('passes what is right, finds the bug in the step that it breaks, and is blocked where it refuses', () => {
    const names = ['cart', 'account', 'refuses']
    expect(Object.fromEntries(names.map((name) => [name, verdictsOf(run.stdout, `${name}.test.md`)])), run.all).toEqual(
      {
        cart: [passed, passed, passed, 'fail STEP_FAILED CHECK_FAILED'],
        account: [passed, passed, passed],
        refuses: ['blocked MODEL_UNAVAILABLE', 'skipped PREDECESSOR_FAILED', 'skipped PREDECESSOR_FAILED'],
      },
    )
    expect(run.exitCode).toBe(1)
    expect(run.strays).toEqual([])
  })

  test('has a browser of its own for each spec', () => {
    const seen = run.conversations.map(({ results }) => results.map(({ text }) => text).join('\n'))
    const visitors = seen.map((text) => [...new Set(text.match(/You are visitor \d+/g))])
    expect([...new Set(visitors.flat())].toSorted()).toEqual([1, 2, 3].map((number) => `You are visitor ${number}`))
    expect(visitors.filter(({ length }) => length > 1)).toEqual([])
  })

  test('leaves a picture of each step, which is attached to its test', () => {
    // Each has one of its end besides.
    expect([run.pictures, run.missing]).toEqual([{ cart: 5, account: 4 }, []])
    const attached = new Set(run.attached.split('\n').filter((line) => line.startsWith('image/jpeg')))
    expect(attached.size).toBe(7)
    expect(attached).toContain('image/jpeg of Cart > Use a coupon')
  })

  test('is quoted with its last words and how its answer ended, by `show` and in the report', () => {
    for (const text of run.told) {
      expect(text).toMatch(/finish reason \S{0,20}content-filter/)
      expect(text).toContain(sorry)
      expect(text).not.toMatch(/result log {2}/)
    }
    expect(run.all).not.toContain('Log: refuses.logs')
  })

  test('is not needed for blocks, which do what they say and wait for what they set off', () => {
    const tests = readJsonReport(run.stdout)['blocks.test.md'] ?? []
    expect(tests.map(({ name, status }) => [name, status])).toEqual(tests.map(({ name }) => [name, 'passed']))
    expect(tests).toHaveLength(9)
  })

  test('leaves no process and no temporary file behind', () => {
    expect([run.left, run.temporary]).toEqual([[], []])
  })
})
