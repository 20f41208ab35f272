import { describe, expect, test } from 'vitest'
import type { BrowserCall } from '../../../src/records/agent-call.ts'
import { derivePieces, type Derivation } from '../../../src/recordings/derive/derive-pieces.ts'
import { writeBlocks } from '../../../src/recordings/gates/write-candidate.ts'

const base = 'http://127.0.0.1:3000'

function call(tool: string, output: string, more: Partial<BrowserCall> = {}): BrowserCall {
  return { kind: 'browser', step: '1-a', tool: `browser_${tool}`, input: {}, output, isError: false, ...more }
}

function code(...lines: readonly string[]): string {
  return `### Ran Playwright code\n\`\`\`js\n${lines.join('\n')}\n\`\`\``
}

function snapshot(...lines: readonly string[]): string {
  return `### Page\n- Page URL: ${base}/\n### Snapshot\n\`\`\`yaml\n${lines.join('\n')}\n\`\`\``
}

const opened = call('navigate', code(`await page.goto('${base}/');`))
const click = (name: string): string => code(`await page.getByRole('button', { name: '${name}' }).click();`)

type Steps = Readonly<Record<string, readonly string[]>>

function derive(
  calls: readonly BrowserCall[],
  quotes: Steps,
  more: Partial<Parameters<typeof derivePieces>[0]> = {},
): Derivation {
  const steps = Object.entries(quotes).map(([step, own]) => ({ step, quotes: own }))
  const browser = { baseUrl: base, variableWith: () => undefined, isSecret: () => false }
  return derivePieces({ steps, calls, directory: '/there', roots: [], known: '', browser, ...more })
}

/** Blocks of each step. */
function blocksOf({ steps }: Derivation): readonly string[] {
  return steps.map(({ pieces }) => {
    const items = pieces.flatMap((piece) => (piece.kind === 'browser' ? piece.items : []))
    const lines = new Map(items.flatMap((item) => (item.kind === 'sight' ? [[item, [item.line]]] : [])))
    return writeBlocks(pieces, lines)
  })
}

function whyNot({ obstacles }: Derivation): readonly string[] {
  return obstacles.map(({ code: reason, why }) => `${reason}: ${why}`)
}

test('an action is its code; what was quoted stands behind the action after which it was seen', () => {
  const page = [
    '- main [ref=e1]:',
    '  - textbox "Coupon" [active] [ref=e2]',
    '  - button "Apply" [ref=e3] [cursor=pointer]',
  ]
  const before = [...page, '  - status [ref=e4]: "Total: €27.00"']
  const after = [...page, '  - status [ref=e4]: "Total: €24.30"']
  const calls = [
    opened,
    call('snapshot', snapshot(...before)),
    call('type', code(`await page.getByRole('textbox', { name: 'Coupon' }).fill('SPRING10');`)),
    call('click', click('Apply')),
    call('snapshot', snapshot(...after)),
    call('click', click('Close')),
    call('snapshot', snapshot(...after)),
  ]
  expect(blocksOf(derive(calls, { '1-a': ['Total: €24.30', '- status [ref=e4]: "Total: €24.30"'] }))).toEqual([
    `\`\`\`ts browser
await page.goto('/');
await page.getByRole('textbox', { name: 'Coupon' }).fill('SPRING10');
await page.getByRole('button', { name: 'Apply' }).click();
await see('status: "Total: €24.30"');
await page.getByRole('button', { name: 'Close' }).click();
\`\`\``,
  ])
})

test('the page of the agent `browser` is told with its actions', () => {
  const shown = (name: string, ...lines: string[]): string => `${click(name)}\n${snapshot(...lines)}`
  const calls = [
    call('navigate', `${code(`await page.goto('${base}/');`)}\n${snapshot('- button "Add"')}`),
    call('click', shown('Add', '- button "Add" [active]', '- list:', '  - listitem: milk')),
    call('click', shown('Add', '- list:', '  - listitem: milk', '  - listitem: bread'), { step: '2-b' }),
  ]
  const derived = derive(calls, { '1-a': ['milk'], '2-b': ['listitem: bread', 'listitem: milk'] })
  expect(blocksOf(derived)).toEqual([
    `\`\`\`ts browser
await page.goto('/');
await page.getByRole('button', { name: 'Add' }).click();
await see('listitem: milk');
\`\`\``,
    `\`\`\`ts browser
await page.getByRole('button', { name: 'Add' }).click();
await see('listitem: bread');
await see('listitem: milk');
\`\`\``,
  ])
  const items = derived.steps.flatMap(({ pieces }) =>
    pieces.flatMap((one) => (one.kind === 'browser' ? one.items : [])),
  )
  expect(items.filter((item) => item.kind === 'sight').map(({ weakness }) => weakness)).toEqual([
    undefined,
    undefined,
    'it was on the page before',
  ])
})

test('dialogs are answered as their tool was told to', () => {
  const calls = [
    opened,
    call('click', `${click('Ask')}\n### Modal state\n- ["confirm" dialog with message "Sure?"]`),
    call('snapshot', '### Error\nError: no', { isError: true }),
    call('handle_dialog', '### Page', { input: { accept: false } }),
    call('click', click('Prompt')),
    call('handle_dialog', '### Page', { input: { accept: true, promptText: 'Zoe' } }),
    call('snapshot', snapshot('- paragraph [ref=e1]: Zoe')),
  ]
  expect(blocksOf(derive(calls, { '1-a': ['dialog with message "Sure?"', 'Zoe'] }))).toEqual([
    `\`\`\`ts browser
await page.goto('/');
await page.getByRole('button', { name: 'Ask' }).click();
await dialog.dismiss();
await page.getByRole('button', { name: 'Prompt' }).click();
await dialog.accept('Zoe');
await see('paragraph: Zoe');
\`\`\``,
  ])
})

test('files are uploaded by their names in the directory of the scenario', () => {
  const upload = (file: string): BrowserCall => call('file_upload', code(`await fileChooser.setFiles(["${file}"])`))
  const calls = [opened, call('click', click('File')), upload('/there/files/a.txt')]
  expect(blocksOf(derive(calls, { '1-a': [] }))).toEqual([
    `\`\`\`ts browser
await page.goto('/');
await page.getByRole('button', { name: 'File' }).click();
await fileChooser.setFiles(['files/a.txt']);
\`\`\``,
  ])
  expect(whyNot(derive([opened, call('click', click('File')), upload('/etc/passwd')], { '1-a': [] }))).toEqual([
    expect.stringContaining('NEEDS_THE_MODEL: It uploads a file from outside'),
  ])
})

test.each([
  [`await page.goto('${base}/cart?x=1');`, `await page.goto('/cart?x=1');`],
  [`await page.goBack();`, `await page.goBack();`],
  [`// Press Control+A\nawait page.keyboard.press('Control+A');`, `await page.keyboard.press('Control+A');`],
  [
    String.raw`await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bob\'s "x" \\ $A');`,
    String.raw`await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bob\'s "x" \\ $A');`,
  ],
  [
    `await page.getByRole('textbox', { name: 'Password' }).fill(process.env['TEST_PASSWORD']);`,
    `await page.getByRole('textbox', { name: 'Password' }).fill(secret('TEST_PASSWORD'));`,
  ],
  [
    `await page.getByLabel('Tags abc').selectOption(['a', 'c']);`,
    `await page.getByLabel('Tags abc').selectOption(['a', 'c']);`,
  ],
  [
    `await page.getByRole('listitem').filter({ hasText: 'Apples Delete' }).getByRole('button').hover();`,
    `await page.getByRole('listitem').filter({ hasText: 'Apples Delete' }).getByRole('button').hover();`,
  ],
  [
    `await page.getByRole('button', { name: 'Save' }).click({\n  button: 'right',\n modifiers: ['Shift']\n});`,
    `await page.getByRole('button', { name: 'Save' }).click({ button: 'right', modifiers: ['Shift'] });`,
  ],
  [
    `await page.getByRole('listitem', { name: 'A' }).dragTo(page.getByRole('listitem', { name: 'B' }));`,
    `await page.getByRole('listitem', { name: 'A' }).dragTo(page.getByRole('listitem', { name: 'B' }));`,
  ],
])('%s is one line', (told, written) => {
  expect(blocksOf(derive([call('click', code(told))], { '1-a': [] }))).toEqual([`\`\`\`ts browser\n${written}\n\`\`\``])
})

test('looks, waits and what failed are no actions', () => {
  const calls = [
    opened,
    call('wait_for', `### Result\nWaited for 1 seconds\n${code('await new Promise(f => setTimeout(f, 1 * 1000));')}`),
    call('verify_text_visible', `### Result\nDone\n${code(`await expect(page.getByText('x')).toBeVisible();`)}`),
    call('console_messages', '### Result\nTotal messages: 0'),
    call('tabs', '### Result\n- 0: (current) [T](/)', { input: { action: 'list' } }),
    call('click', '### Error\nError: Ref e999 not found', { isError: true }),
    call('find', '### Result\nFound 1 match for "Hello":\n\n- main [ref=e2]:\n  ...\n  - status [ref=e32]: Hello Al'),
  ]
  expect(blocksOf(derive(calls, { '1-a': ['Hello Al'] }))).toEqual([
    `\`\`\`ts browser
await page.goto('/');
await see('status: Hello Al');
\`\`\``,
  ])
})

test('a control is found on another day, too', () => {
  const click = (locator: string): BrowserCall => call('click', code(`await page.${locator}.click();`))
  const calls = [
    click(`getByRole('row', { name: 'Milk 2026-11-23 Remove' }).getByRole('button', { name: 'Remove', exact: true })`),
    click(`getByRole('link', { name: 'Order 8f3a91c2', exact: true })`),
    click(`getByRole('button', { name: '2026-12-24' })`),
    click(`getByRole('button', { name: 'Book 2026-12-25' })`),
  ]
  expect(blocksOf(derive(calls, { '1-a': [] }, { known: 'Book a room for 2026-12-25.' }))).toEqual([
    `\`\`\`ts browser
await page.getByRole('row', { name: 'Milk' }).getByRole('button', { name: 'Remove', exact: true }).click();
await page.getByRole('link', { name: 'Order' }).click();
await page.getByRole('button', { name: '2026-12-24' }).click();
await page.getByRole('button', { name: 'Book 2026-12-25' }).click();
\`\`\``,
  ])
})

describe('what cannot be repeated', () => {
  test.each<[string, BrowserCall, string]>([
    ['code in the page', call('evaluate', code(`await page.evaluate('1');`)), 'the tool browser_evaluate'],
    ['tabs', call('tabs', '### Result', { input: { action: 'new' } }), 'the tool browser_tabs'],
    ['an action that is not told', call('click', '### Page'), 'did not tell what it did'],
    ['a place', call('click', code(`await page.getByRole('button').nth(1).click();`)), 'nth(1)'],
  ])('%s', (_what, odd, told) => {
    expect(whyNot(derive([opened, odd], { '1-a': [] }))).toEqual([expect.stringMatching(/^NEEDS_THE_MODEL: /)])
    expect(whyNot(derive([opened, odd], { '1-a': [] }))[0]).toContain(told)
  })

  test.each([
    `await page.getByRole('button', { name: 'Buy' }).first().click();`,
    `await page.locator('div').filter({ hasText: 'ABuy' }).getByRole('button').click();`,
    `await page.locator('iframe[title="inner"]').contentFrame().getByRole('button', { name: 'Send' }).click();`,
    `await page.getByRole('listitem').filter({ hasText: /^Tea$/ }).click();`,
    `await page.goto('https://example.org/');`,
    `await page.goto('about:blank');`,
    `await fileChooser.setFiles(undefined)`,
    `await page.getByRole('button', { name: 'x', disabled: true }).click();`,
    `await page.getByRole('button', { name: 'x' }).tap();`,
    `await page.getByRole('button', { name: process.exit() }).click();`,
    `await page.getByLabel('x').fill(String(process.env));`,
    `await process.getByRole('button').click();`,
    `await page.getByRole('button').click(...[1]);`,
    `await page['con' + 'text']().close();`,
    `require('fs');`,
    `await page.getByRole('button').click(`,
  ])('%s is never guessed, and told', (source) => {
    const [told = ''] = whyNot(derive([call('click', code(source))], { '1-a': [] }))
    expect(told).toMatch(/^NEEDS_THE_MODEL: /)
    expect(told).toContain(source.includes('setFiles') ? 'given up' : source.replace(/^await |;$/g, ''))
  })

  test('words of no page', () => {
    const derived = derive([opened, call('snapshot', snapshot('- text: Hello'))], { '1-a': ['Page URL'] })
    expect(whyNot(derived)).toEqual([expect.stringContaining('NOT_ELIGIBLE: No page')])
  })
})

describe('secrets', () => {
  const typed = (name: string, value: string): BrowserCall =>
    call('type', code(`await page.getByRole('textbox', { name: '${name}' }).fill('${value}');`))
  const browser = {
    baseUrl: base,
    variableWith: (value: string) => (value === 'daisy' ? 'TEST_PASSWORD' : undefined),
    isSecret: (text: string) => text.includes('sk-1234'),
  }

  test('are variables, where there is one', () => {
    const derived = derive([typed('Password', 'daisy'), typed('Name', 'daisy')], { '1-a': [] }, { browser })
    expect(blocksOf(derived)).toEqual([
      `\`\`\`ts browser
await page.getByRole('textbox', { name: 'Password' }).fill(secret('TEST_PASSWORD'));
await page.getByRole('textbox', { name: 'Name' }).fill('daisy');
\`\`\``,
    ])
  })

  test.each([typed('Password', 'rose'), typed('API key', 'x'), typed('Name', 'sk-1234')])('else refused', (one) => {
    expect(whyNot(derive([one], { '1-a': [] }, { browser }))).toEqual([expect.stringMatching(/^UNCLEAN: /)])
  })

  test('what the spec says itself is none', () => {
    const derived = derive(
      [typed('Password', 'rose')],
      { '1-a': [] },
      { browser, known: 'Log in with the password rose.' },
    )
    expect(blocksOf(derived)).toEqual([
      `\`\`\`ts browser
await page.getByRole('textbox', { name: 'Password' }).fill('rose');
\`\`\``,
    ])
  })
})

test('what the step itself typed or ticked shows nothing', () => {
  const calls = [
    opened,
    call('type', code(`await page.getByRole('textbox', { name: 'Name' }).fill('Ada');`)),
    call('click', code(`await page.getByRole('checkbox', { name: 'Agree' }).check();`)),
    call('snapshot', snapshot('- textbox "Name" [ref=e1]: Ada', '- checkbox "Agree" [checked]', '- status: Hello Ada')),
  ]
  const { steps } = derive(calls, { '1-a': ['textbox "Name"', 'checkbox "Agree" [checked]', 'Hello Ada'] })
  const items = steps.flatMap(({ pieces }) => pieces.flatMap((one) => (one.kind === 'browser' ? one.items : [])))
  expect(items.filter((item) => item.kind === 'sight').map(({ weakness }) => weakness)).toEqual([
    'it is what the step itself put there',
    'it is what the step itself put there',
    undefined,
  ])
})
