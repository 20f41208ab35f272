import { describe, expect, test } from 'vitest'
import { readAction } from '../../../src/recordings/browser/read-action.ts'
import { readCode } from '../../../src/recordings/browser/read-code.ts'
import { formatBrowserLine } from '../../../src/spec/browser/format-browser-line.ts'
import { parseBrowserBlock } from '../../../src/spec/browser/parse-browser-block.ts'

/** What becomes of code as Playwright's MCP server tells it: lines, or why not. */
function linesFor(code: string): readonly string[] {
  const output = `### Ran Playwright code\n\`\`\`js\n${code}\n\`\`\`\n### Page\n- Page URL: http://x/`
  return readCode(output).map((statement) => {
    const read = readAction(statement, { baseUrl: 'http://127.0.0.1:3000/app/' })
    if (read.kind === 'action') return formatBrowserLine(read.command)
    return read.kind === 'obstacle'
      ? `! ${read.why}`
      : read.kind === 'files'
        ? `files ${read.paths.join(', ')}`
        : 'look'
  })
}

describe('what Playwright told', () => {
  // As the server has written it, for the pages of a real application.
  test.each([
    [`await page.goto('http://127.0.0.1:3000/app/form?a=1');`, 'goto /form?a=1'],
    [`await page.goto('http://127.0.0.1:3000/app/');`, 'goto /'],
    [`await page.goto('http://127.0.0.1:3000/other');`, 'goto http://127.0.0.1:3000/other'],
    [`await page.goBack();`, 'back'],
    [`// Press Control+A\nawait page.keyboard.press('Control+A');`, 'press Control+A'],
    [
      String.raw`await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bob\'s "x" \\ $A');`,
      String.raw`fill textbox "Name" exactly "Bob's \"x\" \\ $A"`,
    ],
    [`await page.getByRole('textbox', { name: 'Name' }).fill('');`, 'fill textbox "Name" ""'],
    [`await page.getByRole('textbox', { name: 'Name' }).pressSequentially('slow');`, 'type textbox "Name" "slow"'],
    [`await page.getByRole('textbox', { name: 'Password' }).press('Enter');`, 'press textbox "Password" Enter'],
    [
      `await page.getByRole('textbox', { name: 'Password' }).fill(process.env['TEST_PASSWORD']);`,
      'fill textbox "Password" "$TEST_PASSWORD"',
    ],
    [`await page.getByLabel('Colour redgreen').selectOption('green');`, 'select label "Colour redgreen" "green"'],
    [`await page.getByLabel('Tags abc').selectOption(['a', 'c']);`, 'select label "Tags abc" "a", "c"'],
    [`await page.getByRole('radio', { name: 'Two' }).check();`, 'check radio "Two"'],
    [
      `await page.getByRole('row', { name: 'Milk Remove' }).getByRole('button').click();`,
      'click button in row "Milk Remove"',
    ],
    [
      `await page.getByRole('listitem').filter({ hasText: 'Apples Delete' }).getByRole('button').hover();`,
      'hover button in listitem with "Apples Delete"',
    ],
    [
      `await page.getByRole('region', { name: 'Left' }).getByRole('button', { name: 'Go' }).dblclick();`,
      'double-click button "Go" in region "Left"',
    ],
    [`await page.getByRole('button', { name: 'Save' }).click({\n  button: 'right'\n});`, 'right-click button "Save"'],
    [`await page.getByTestId('tid').click();`, 'click testid "tid"'],
    [
      `await page.getByRole('listitem', { name: 'A' }).dragTo(page.getByRole('listitem', { name: 'B' }));`,
      'drag listitem "A" to listitem "B"',
    ],
  ])('%s', (code, line) => {
    expect(linesFor(code)).toEqual([line])
    const problems: string[] = []
    parseBrowserBlock(line, { codeLine: 1, column: 1 }, (_rule, _place, message) => problems.push(message))
    expect(problems).toEqual([])
  })

  test('a form is filled in several lines', () => {
    const code = `await page.getByRole('textbox', { name: 'Name' }).fill('Al');
await page.getByRole('checkbox', { name: 'Agree' }).check();
await page.getByRole('slider', { name: 'Range' }).fill('7');`
    expect(linesFor(code)).toEqual(['fill textbox "Name" "Al"', 'check checkbox "Agree"', 'fill slider "Range" "7"'])
  })

  test.each([
    `await expect(page.getByRole('heading', { name: 'Frame' })).toBeVisible();`,
    `await page.getByText('Rows').first().waitFor({ state: 'visible' });`,
    `await new Promise(f => setTimeout(f, 1 * 1000));`,
    `await page.screenshot({\n  path: './page.png',\n  scale: 'css',\n  type: 'png'\n});`,
  ])('%s only looks', (code) => {
    expect(linesFor(code)).toEqual(['look'])
  })

  test('files are told by themselves', () => {
    expect(linesFor(`await fileChooser.setFiles(["/there/a.txt", "/there/b.txt"])`)).toEqual([
      'files /there/a.txt, /there/b.txt',
    ])
  })

  test.each([
    `await page.getByRole('button', { name: 'Buy' }).nth(1).click();`,
    `await page.getByRole('button', { name: 'Buy' }).first().click();`,
    `await page.locator('div').filter({ hasText: 'ABuy' }).getByRole('button').click();`,
    `await page.locator('iframe[title="inner"]').contentFrame().getByRole('button', { name: 'Send' }).click();`,
    `await page.getByRole('listitem').filter({ hasText: /^Tea$/ }).click();`,
    `await page.getByRole('button', { name: 'Save' }).click({\n  modifiers: ['Shift']\n});`,
    `await page.getByRole('button', { name: 'Save' }).click({\n  button: 'middle'\n});`,
    `await page.evaluate('() => document.title');`,
    `await page.goto('https://example.org/');`,
    `await page.goto('about:blank');`,
    `await fileChooser.setFiles(undefined)`,
    `await page.getByRole('made-up', { name: 'x' }).click();`,
    `await page.getByRole('button', { name: 'x', disabled: true }).click();`,
    `await page.getByRole('button', { name: 'x' }).tap();`,
  ])('%s is never guessed, and told', (code) => {
    const [told = ''] = linesFor(code)
    expect(told).toMatch(/^! /)
    expect(told).toContain(code.replace(/\s+/g, ' ').replace(/^await |;$/g, ''))
  })
})
