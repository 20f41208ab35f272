import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import { recordByHand } from '../support/hand-recording.ts'
import { browse } from '../support/scripts/browse.ts'
import { dangerRecorded, deskScripts, deskSpec } from '../support/scripts/desk-scripts.ts'
import { startDesk, startShop } from '../support/start-shop.ts'

const names = ['danger', 'buy']
const deskSpecs = names.map((name) => `${name}.test.md`)

const shopSpec = (url: string): string => `---
agent: browser
base-url: ${url}
---

# Log in

## Enter the shop

Log in as bob.

# A visitor sees the shop

## Look around

Look at it without a login.

## Buy a mug

Buy the blue mug.
`

const browser = (...lines: readonly string[]): string => `\`\`\`ts browser\n${lines.join('\n')}\n\`\`\``
const bodies = {
  'Enter the shop': browser(
    `await page.goto('/login')`,
    `await page.getByRole('textbox', { name: 'Name' }).fill('bob')`,
    `await page.getByRole('textbox', { name: 'Password' }).fill('daisy')`,
    `await page.getByRole('textbox', { name: 'Password' }).press('Enter')`,
    `await see('heading "Welcome, Bob" [level=1]')`,
  ),
  'Look around': browser(
    `await page.goto('/')`,
    `await see('link "Log in"')`,
    `await see('link "Cart ({{count:/\\\\d+/}})"')`,
    `await see.not('link "Log out"')`,
  ),
  'Buy a mug': browser(
    `await page.getByRole('button', { name: 'Add Blue mug to cart' }).click()`,
    `await see('link "Cart (1)"')`,
  ),
}

/** Without the line with key, agent and day. */
function blocksOf(recording: string): readonly string[] {
  return recording.match(/```ts browser\n[^]*?\n```/g) ?? []
}

describe.skipIf(skipReason !== '')(`what the agent \`browser\` did${skipReason}`, () => {
  test('is recorded and replayed without a model; what is broken fails at its line', async () => {
    await using desk = await startDesk()
    await using shop = await startShop()
    const text = shopSpec(shop.url)
    const files = names.map((name) => [`${name}.test.md`, deskSpec(name, { baseUrl: desk.url })])
    await using browser = await createBrowserProject({
      script: browse(deskScripts),
      files: {
        ...Object.fromEntries(files),
        'shop.test.md': text,
        'shop.recording.md': recordByHand(text, { bodies }),
      },
    })
    const { project, env, model } = browser
    const made = await project.mdtest(['record', ...deskSpecs], { env, timeoutMs })
    expect(made.exitCode, made.all).toBe(0)
    const recorded = await Promise.all(names.map((name) => project.read(`${name}.recording.md`)))
    expect(recorded.map(blocksOf)).toEqual([
      dangerRecorded,
      [
        `\`\`\`ts browser
await page.goto('/buy');
await page.getByRole('spinbutton', { name: 'Count' }).fill('3');
await page.getByRole('button', { name: 'Order' }).click();
await see('status: Order [0-9a-f]{8} is placed (re)');
await see('paragraph: "To pay: €12.60"');
\`\`\``,
      ],
    ])
    const asked = model.conversations.length
    expect(asked).toBeGreaterThan(0)

    const elsewhere = { ...env, TZ: 'Pacific/Kiritimati', MDTEST_MODEL: 'none' }
    const replayed = await project.mdtest(['run', '--replay', 'only'], { env: elsewhere, timeoutMs })
    expect(replayed.exitCode, replayed.all).toBe(0)
    expect(replayed.all).toContain('6 replayed')

    await using broken = await startDesk('price-wrong', 'rename-gone')
    const args = ['run', ...deskSpecs, '--replay', 'only', '--base-url', broken.url]
    const failed = await project.mdtest(args, { env, timeoutMs })
    expect(failed.exitCode).toBe(1)
    const told = (name: string): string =>
      failed.all
        .split(' FAIL ')
        .slice(1)
        .find((one) => one.includes(`${name}.test.md`)) ?? ''
    expect(told('danger')).toMatch(/REPLAY_STALE[^]*getByRole\('button', \{ name: 'Rename' \}\)/)
    expect(told('buy')).toMatch(/REPLAY_DIFFERS[^]*- paragraph: "To pay: €12\.60"[^]*\+ paragraph: "To pay: €22\.60"/)
    expect(model.conversations).toHaveLength(asked)
  })
})
