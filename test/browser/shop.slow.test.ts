import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, shopSpec, skipReason, timeoutMs } from '../support/browser-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { leftAfter } from '../support/leftovers.ts'
import type { ModelScript } from '../support/model-server.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'

const passed = 'pass observed'

/** How many steps each spec has. */
const specs = { cart: 4, account: 3, catalogue: 2, checkout: 4 }

/** A reporter that writes down what is attached to tests. */
const attachmentReporter = `import { appendFileSync } from 'node:fs'
export default class {
  onTestCaseAnnotate(test, { attachment }) {
    if (attachment) appendFileSync('attached.txt', attachment.contentType + ' of ' + test.fullName + '\\n')
  }
}
`

describe.skipIf(skipReason !== '')(`the shop${skipReason}`, () => {
  test('four specs at once pass on the right shop, each with its own browser, and leave nothing behind', async () => {
    await using shop = await startShop()
    const names = Object.keys(specs)
    const files: Record<string, string> = { 'attached.mjs': attachmentReporter }
    for (const name of names) files[`${name}.test.md`] = await shopSpec(name, shop.url)
    await using browser = await createBrowserProject({ script: togetherAtFirst(names, browse(shopScripts)), files })
    const { project, env, model } = browser
    const args = ['run', '--reporter=json', '--reporter=./attached.mjs']
    const { exitCode, stdout, all } = await project.vitest(args, { env, timeoutMs })
    const said = Object.fromEntries(names.map((name) => [name, verdictsOf(stdout, `${name}.test.md`)]))
    const right = Object.entries(specs).map(([name, count]) => [name, Array.from({ length: count }, () => passed)])
    expect(said, all).toEqual(Object.fromEntries(right))
    expect(exitCode).toBe(0)

    const seen = model.conversations.map(({ results }) => results.map(({ text }) => text).join('\n'))
    const visitors = new Set(seen.flatMap((text) => text.match(/You are visitor \d+/g) ?? []))
    expect([...visitors].toSorted()).toEqual([1, 2, 3, 4].map((number) => `You are visitor ${number}`))
    expect(seen.filter((text) => new Set(text.match(/You are visitor \d+/g)).size > 1)).toEqual([])

    for (const name of names) {
      const log = readJsonReport(stdout)[`${name}.test.md`]?.[0]?.log ?? ''
      const folder = log.replace('.log.md', '')
      const { images, steps } = JSON.parse(await project.read(`${folder}.verdict.json`))
      const ofSteps: string[] = steps.flatMap((step: { images: string[] }) => step.images)
      expect(ofSteps).toHaveLength(steps.length)
      expect([...ofSteps, ...images].filter((image) => !existsSync(project.path(`${folder}/${image}`)))).toEqual([])
    }
    const attached = (await project.read('attached.txt')).split('\n').filter((line) => line.startsWith('image/jpeg'))
    const stepCount = Object.values(specs).reduce((sum, count) => sum + count, 0)
    expect(new Set(attached).size).toBe(stepCount)
    expect(attached).toContain('image/jpeg of Catalogue > Search')
    expect(await leftAfter(project.dir, 20_000)).toEqual([])
    expect(readdirSync(env.TMPDIR ?? '')).toEqual([])
  })
})

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
