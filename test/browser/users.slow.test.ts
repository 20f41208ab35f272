import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { verdictsOf } from '../support/json-report.ts'
import { browse } from '../support/scripts/browse.ts'
import { click, fill, open, see, type BrowserScript } from '../support/scripts/browser-moves.ts'
import { startRoles } from '../support/start-roles.ts'

const ask = (name: string): BrowserScript => [
  [
    open('/login'),
    fill('Name', name),
    fill('Password', 'tulip-meadow-77', { submit: true }),
    see(new RegExp(`^paragraph.*: Signed in as ${name}`)),
  ],
]

const scripts = {
  'AUTH_LOGIN.customer': ask('customer'),
  'AUTH_LOGIN.admin': ask('admin'),
  story: [
    [open('/'), click('button', 'Order a mug'), see(/^listitem.*: "?Mug for customer: waiting/)],
    [open('/'), click('button', 'Ship all'), see(/^listitem.*: "?Mug for customer: shipped/)],
    [open('/'), see(/^paragraph.*: Signed in as customer/), see(/^listitem.*: "?Mug for customer: shipped/)],
  ],
} satisfies Readonly<Record<string, BrowserScript>>

/** The name of the spec without its endings: logins differ in what stands behind their first dot. */
function fileName({ system, prompt }: Conversation): string {
  return /^Specification: (?:.*\/)?(.+?)(?:\.test)?\.md$/m.exec(`${system}\n${prompt}`)?.[1] ?? ''
}

const story = (url: string): string => `---
base-url: ${url}
login: customer
---

# A mug goes its way

## Order

Order a mug.

## Ship

<!-- mdtest: login=admin -->

Ship all orders.

## Receive

The mug is shipped.
`

const login = (name: string): string => `Sign in as ${name}.\n`

describe.skipIf(skipReason !== '')(`users of a browser spec${skipReason}`, () => {
  test('act in one scenario, each in a browser of their own that lasts', async () => {
    await using roles = await startRoles({ loginMs: 1500 })
    await using browser = await createBrowserProject({
      script: browse(scripts, undefined, fileName),
      files: {
        'story.test.md': story(roles.url),
        'AUTH_LOGIN.customer.md': login('customer'),
        'AUTH_LOGIN.admin.md': login('admin'),
      },
    })
    const { project, model, env } = browser
    const { stdout, all } = await project.mdtest(['run', '--reporter=json'], { env, timeoutMs })
    expect(verdictsOf(stdout, 'story.test.md'), all).toEqual(Array(3).fill('pass evidenced'))
    expect(roles.logins.toSorted()).toEqual(['admin', 'customer'])
    expect(roles.together).toBe(2)
    const [{ system = '' } = {}] = model.conversations.filter((each) => fileName(each) === 'story')
    expect(system).toContain('- 2-ship: Ship, as the user `admin`')
  })
})
