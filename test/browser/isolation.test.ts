import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason } from '../support/browser-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { leftAfter, temporaryFoldersIn } from '../support/leftovers.ts'
import type { ModelScript } from '../support/model-server.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { click, open, see, type BrowserScript } from '../support/scripts/browser-moves.ts'
import { startShop } from '../support/start-shop.ts'

/** How many mugs each spec puts into its cart. */
const mugs = { one: 1, two: 2, three: 3, four: 4 }

const scripts = Object.fromEntries(
  Object.entries(mugs).map(([name, count]): [string, BrowserScript] => [
    name,
    [
      [
        open('/'),
        ...Array.from({ length: count }, () => click('button', 'Add Blue mug to cart')),
        open('/cart'),
        see(new RegExp(`^spinbutton "Quantity of Blue mug".*: "${count}"`)),
      ],
    ],
  ]),
)

describe.skipIf(skipReason !== '')(`browsers of several specs${skipReason}`, () => {
  test('four specs at once have a browser, cookies and screenshots of their own, and leave nothing behind', async () => {
    await using shop = await startShop()
    const spec = (count: number): string =>
      `# Own cart\n\nPut ${count} blue mugs into the cart and open it.\n\n- [ ] It holds ${count} blue mugs\n`
    await using browser = await createBrowserProject({
      script: whenAllAreThere(Object.keys(mugs), browse(scripts)),
      options: { baseUrl: shop.url },
      files: Object.fromEntries(Object.entries(mugs).map(([name, count]) => [`${name}.test.md`, spec(count)])),
    })
    const { project, env, model } = browser
    const { stdout, all } = await project.vitest(['run', '--reporter=json'], { env })
    const names = Object.keys(mugs)
    const said = names.map((name) => verdictsOf(stdout, `${name}.test.md`))
    expect(said, all).toEqual(names.map(() => ['pass observed']))

    const seen = model.conversations.flatMap(({ results }) => results.map(({ text }) => text)).join('\n')
    const visitors = new Set([...seen.matchAll(/You are visitor (\d+)\./g)].map(([, number]) => number))
    expect([...visitors].toSorted()).toEqual(['1', '2', '3', '4'])
    expect(model.conversations.filter(({ isSideRequest }) => isSideRequest)).toHaveLength(1)

    for (const name of names) {
      const log = readJsonReport(stdout)[`${name}.test.md`]?.[0]?.log ?? ''
      const folder = log.replace('.log.md', '')
      const record = JSON.parse(await project.read(`${folder}.verdict.json`))
      const images: string[] = [...record.images, ...record.steps.flatMap((step: { images: string[] }) => step.images)]
      expect(images.length).toBeGreaterThan(1)
      expect(images.filter((image) => !existsSync(project.path(`${folder}/${image}`)))).toEqual([])
    }
    expect(await leftAfter(project.dir, 20_000)).toEqual([])
    expect([...temporaryFoldersIn(env.TMPDIR ?? ''), ...readdirSync(env.TMPDIR ?? '')]).toEqual([])
  })
})

/** Holds each model back before it looks at its cart, until all have filled theirs. */
function whenAllAreThere(names: readonly string[], script: ModelScript): ModelScript {
  const there = new Set<string>()
  const { promise: allAreThere, resolve } = Promise.withResolvers<void>()
  return async (conversation) => {
    const reply = await script(conversation)
    const isLooking = reply.kind === 'answer' && JSON.stringify(reply.calls ?? []).includes('/cart"')
    if (!isLooking) return reply
    there.add(specName(conversation))
    if (names.every((name) => there.has(name))) resolve()
    await allAreThere
    return reply
  }
}
