import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { existsSync } from 'node:fs'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { skipReason, timeoutMs } from '../support/browser-project.ts'
import { createProject } from '../support/create-project.ts'
import { recordByHand } from '../support/hand-recording.ts'
import { startShop } from '../support/start-shop.ts'

const playwright = dirname(createRequire(import.meta.url).resolve('playwright/package.json'))
const chromium = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file))

const spec = (url: string): string => `---
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

const browser = (...lines: readonly string[]): string => `\`\`\`browser\n${lines.join('\n')}\n\`\`\``
const bodies = {
  'Enter the shop': browser(
    'goto /login',
    'fill textbox "Name" "bob"',
    'fill textbox "Password" "daisy"',
    'press textbox "Password" Enter',
    '- heading "Welcome, Bob" [level=1]',
  ),
  'Look around': browser('goto /', '- link "Log in"', '- link "Cart ({{count:/\\d+/}})"', '! link "Log out"'),
  'Buy a mug': browser('click button "Add Blue mug to cart"', '- link "Cart (1)"'),
}

describe.skipIf(skipReason !== '')(`a recording as a test of Playwright${skipReason}`, () => {
  test('does what the replay does: no scenario knows of another', async () => {
    await using shop = await startShop()
    const text = spec(shop.url)
    await using project = await createProject({
      'vitest.config.js':
        "import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'browser' })] }\n",
      'shop.test.md': text,
      'shop.recording.md': recordByHand(text, { bodies }),
      'playwright.config.js': `export default ${JSON.stringify({
        use: { launchOptions: { executablePath: chromium, args: ['--no-sandbox'] } },
      })}\n`,
      'node_modules/@playwright/test/package.json': '{ "type": "module", "exports": "./index.js" }\n',
      'node_modules/@playwright/test/index.js': `export * from ${JSON.stringify(join(playwright, 'test.mjs'))}\n`,
    })
    const [replayed, printed] = await Promise.all([
      project.mdtest(['run', '--replay', 'only'], { timeoutMs }),
      project.mdtest(['promote', 'shop.test.md', '--as', 'playwright']),
    ])
    expect(replayed.exitCode, replayed.all).toBe(0)
    expect(printed.exitCode, printed.all).toBe(0)
    await project.write('shop.spec.ts', printed.stdout)
    const { exitCode, all } = await execa(process.execPath, [join(playwright, 'cli.js'), 'test', '--reporter=line'], {
      cwd: project.dir,
      all: true,
      reject: false,
    })
    expect(exitCode, all).toBe(0)
    expect(all).toContain('2 passed')
  }, 60_000)
})
