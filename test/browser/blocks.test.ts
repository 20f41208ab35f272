import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { skipReason, timeoutMs } from '../support/browser-project.ts'
import { createProject } from '../support/create-project.ts'
import { leftAfter } from '../support/leftovers.ts'
import { readJsonReport } from '../support/json-report.ts'
import { startOddPages } from '../support/odd-pages.ts'
import { startShop } from '../support/start-shop.ts'

const shop = `
## Buy

\`\`\`browser
goto /
click button "Add Blue mug to cart"
- link "Cart (1)"
click link "Cart (1)"
fill spinbutton "Quantity of Blue mug" "3"
press spinbutton "Quantity of Blue mug" Enter
reload
- link "Cart (3)"
fill textbox "Coupon" "SPRING10"
click button "Apply"
- status: "Total: €24.30"
! alert
\`\`\`

## Order

\`\`\`browser env.PASSWORD=daisy
click link "Log in"
fill textbox "Name" "bob"
fill textbox "Password" $PASSWORD
press textbox "Password" Enter
- heading "Welcome, Bob" [level=1]
goto /checkout
fill textbox "Mail for the confirmation" "gifts@example.org"
fill textbox "Address" "Harbour Road 12, Kiel"
click button "Place the order"
- heading "Order {{order:/\\d+/}}" [level=1]
\`\`\`

\`\`\`sh
test "$order" -ge 1001
\`\`\`

\`\`\`browser verify
goto /orders
click link "Order {{order}}"
- heading "Order {{order}}" [level=1]
back
- heading "Orders" [level=1]
\`\`\`

## Answer dialogs

\`\`\`browser
goto /cart
goto /
click button "Add Tea pot to cart"
click link "Cart (1)"
click button "Empty the cart"
dismiss dialog
- link "Cart (1)"
click button "Empty the cart"
accept dialog
- paragraph: Your cart is empty.
goto /
click button "Subscribe to the newsletter"
accept dialog
- status: You are subscribed.
\`\`\`
`

const odd = `
## Waits for what it set off

\`\`\`browser
goto /slow
click button "Save"
reload
click button "Save"
- status: Saved 2 times
\`\`\`

## Does not wait for what never ends

\`\`\`browser
goto /polls
${Array.from({ length: 12 }, () => 'click button "Click"').join('\n')}
- status: Clicked 12
goto /pictures
- heading "Pictures" [level=1]
\`\`\`

## Dialogs may be late

\`\`\`browser
goto /late-dialog
click button "Ask"
accept dialog "Zoë \\"Z\\""
- 'status: Zoë "Z"' (re)
- status: Zoë "Z"
\`\`\`
`.replace(`- 'status: Zoë "Z"' (re)\n`, '')

const more = `
## Finds by all that a control has

\`\`\`browser
goto /form
select listbox "Size" "S", "L"
check label "News"
type testid "code" "a,b"
press Tab
click button "Send"
- status: size=S size=L news=on code=a,b
upload button "Choose" "photo.txt"
- status: photo.txt
goto /names
hover placeholder "日本語"
fill title "“quoted”" "ß"
click button "Remove" in listitem with "Bread" in list "Cart"
- paragraph: Mit geschütztem Leerzeichen
goto /drag
drag button "A" to region "Bin"
- status: Dropped
goto /frame
- status: In the frame
\`\`\`

## Has cookies of its own

\`\`\`browser
goto /cookie
- status: no cookie
reload
- status: seen=1
\`\`\`
`

describe.skipIf(skipReason !== '')(`browser blocks${skipReason}`, () => {
  test(
    'do what they say, wait for what they set off, name what does not fit, and leave nothing',
    async () => {
      await using rightShop = await startShop()
      await using pages = await startOddPages()
      const head = (url: string): string => `---\nagent: none\ncwd: temp\nbase-url: ${url}\n---\n`
      await using project = await createProject({
        'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({})] }\n`,
        'tmp/.keep': '',
        'shop.test.md': `${head(rightShop.url)}\n# Shop\n${shop}`,
        'odd.test.md': `${head(pages.url)}\n# Odd\n${odd}`,
        'more.test.md': `${head(pages.url)}\n# More\n\n\`\`\`text file=photo.txt\nphoto\n\`\`\`\n${more}`,
      })
      const env = { TMPDIR: project.path('tmp'), PATH: `${process.env.PATH}:${project.dir}` }
      const { stdout, all } = await project.vitest(['run', '--reporter=json'], { env, timeoutMs })
      const report = readJsonReport(stdout)
      const passing = ['shop', 'odd', 'more'].flatMap((name) => report[`${name}.test.md`] ?? [])
      expect(passing.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(passing, all).toHaveLength(8)
      expect(await leftAfter(project.dir, 20_000)).toEqual([])
      expect(readdirSync(project.path('tmp'))).toEqual(['.keep'])
    },
    timeoutMs,
  )
})
