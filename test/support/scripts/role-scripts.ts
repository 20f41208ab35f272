import type { Conversation } from '../conversation.ts'
import { click, fill, open, see, type BrowserScript } from './browser-moves.ts'

export const ask = (name: string): BrowserScript => [
  [
    open('/login'),
    fill('Name', name),
    fill('Password', 'tulip-meadow-77', { submit: true }),
    see(new RegExp(`^paragraph.*: Signed in as ${name}`)),
  ],
]

export const roleScripts = {
  'AUTH_LOGIN.customer': ask('customer'),
  'AUTH_LOGIN.admin': ask('admin'),
  story: [
    [open('/'), click('button', 'Order a mug'), see(/^listitem.*: "?Mug for customer: waiting/)],
    [open('/'), click('button', 'Ship all'), see(/^listitem.*: "?Mug for customer: shipped/)],
    [open('/'), see(/^paragraph.*: Signed in as customer/), see(/^listitem.*: "?Mug for customer: shipped/)],
  ],
} satisfies Readonly<Record<string, BrowserScript>>

/** The name of the spec without its endings: logins differ in what stands behind their first dot. */
export function fileName({ system, prompt }: Conversation): string {
  return /^Specification: (?:.*\/)?(.+?)(?:\.test)?\.md$/m.exec(`${system}\n${prompt}`)?.[1] ?? ''
}

export const roleStory = (url: string): string => `---
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

export const loginOf = (name: string): string => `---
signed-in: Signed in as ${name}
---

Sign in as ${name}.
`
