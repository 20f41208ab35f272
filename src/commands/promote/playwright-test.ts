import type { BrowserLine, BrowserText, BrowserValue, Control } from '../../spec/browser/browser-line.ts'
import type { Block, Step } from '../../spec/spec.ts'
import { lineCheck } from './playwright-checks.ts'

/** A step with what was recorded for it. */
export interface StepOfTest extends Pick<Step, 'title'> {
  readonly blocks: readonly Block[]
}

interface TestSource {
  readonly title: string
  readonly baseUrl: string | undefined
  readonly steps: readonly StepOfTest[]
}

/** A test of Playwright that does what the `browser` blocks of steps do. */
export function playwrightTest({ title, baseUrl, steps }: TestSource): string {
  const body = steps.flatMap(({ title: name, blocks }) => [
    `  await test.step(${quote(name)}, async () => {`,
    ...blocks.flatMap(linesOfBlock).map((line) => `    ${line}`),
    '  })',
  ])
  const usesSeen = body.some((line) => line.includes('seen('))
  const base = baseUrl === undefined ? [] : [`test.use({ baseURL: ${quote(`${baseUrl.replace(/\/+$/, '')}/`)} })`, '']
  const head = [`import { expect, test${usesSeen ? ', type Page' : ''} } from '@playwright/test'`, '', ...base]
  const test = [
    `test(${quote(title)}, async ({ page }) => {`,
    ...(usesSeen ? ['  const captured: Record<string, string> = {}'] : []),
    ...body,
    '})',
  ]
  return `${[...head, ...test, ...(usesSeen ? ['', seen] : [])].join('\n')}\n`
}

const seen = String.raw`/** Waits for a line of the page's aria snapshot, and gives what its groups hold. */
async function seen(page: Page, line: RegExp): Promise<Record<string, string>> {
  let groups: Record<string, string> = {}
  await expect(async () => {
    const snapshot = await page.locator('body').ariaSnapshot()
    const lines = snapshot.split('\n').map((one) => one.trim().replace(/^- /, '').replace(/:$/, ''))
    const match = lines.map((one) => line.exec(one)).find((one) => one !== null)
    expect(match, String(line)).toBeTruthy()
    groups = { ...match?.groups }
  }).toPass({ timeout: 5000 })
  return groups
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}`

function linesOfBlock(block: Block): readonly string[] {
  if (block.kind !== 'browser')
    return [`// Left out: the \`${block.kind}\` block of line ${block.line} is none of a browser.`]
  return block.lines.flatMap((line, index) => linesOf(line, block.lines[index + 1]))
}

/** A dialog is answered by whoever has said so before it opens. */
function linesOf(line: BrowserLine, next: BrowserLine | undefined): readonly string[] {
  if (line.kind === 'dialog') return []
  if (line.kind === 'see') return [lineCheck(line)]
  const answer =
    next?.kind === 'dialog'
      ? [
          `page.once('dialog', (dialog) => dialog.${next.accepts ? `accept(${next.text ? value(next.text) : ''})` : 'dismiss()'})`,
        ]
      : []
  return [...answer, ...actionLines(line)]
}

function actionLines(line: Exclude<BrowserLine, { kind: 'see' | 'dialog' }>): readonly string[] {
  switch (line.kind) {
    case 'goto':
      return [`await page.goto(${address(line.address)})`]
    case 'history':
      return [`await page.${{ back: 'goBack', forward: 'goForward', reload: 'reload' }[line.move]}()`]
    case 'press':
      return line.control
        ? [`await ${locator(line.control)}.press(${quote(line.key)})`]
        : [`await page.keyboard.press(${quote(line.key)})`]
    case 'drag':
      return [`await ${locator(line.control)}.dragTo(${locator(line.to)})`]
    case 'act':
      return actLines(line)
    default:
      return line satisfies never
  }
}

function actLines({ verb, control, values }: Extract<BrowserLine, { kind: 'act' }>): readonly string[] {
  const found = locator(control)
  const all = values.map(value)
  const list = all.length < 2 ? (all[0] ?? '') : `[${all.join(', ')}]`
  switch (verb) {
    case 'double-click':
      return [`await ${found}.dblclick()`]
    case 'right-click':
      return [`await ${found}.click({ button: 'right' })`]
    case 'type':
      return [`await ${found}.pressSequentially(${list})`]
    case 'select':
      return [`await ${found}.selectOption(${list})`]
    case 'upload':
      return [
        "const [chooser] = await Promise.all([page.waitForEvent('filechooser'), " + `${found}.click()])`,
        `await chooser.setFiles(${list})`,
      ]
    default:
      return [`await ${found}.${verb}(${list})`]
  }
}

function locator({ by, name, isExact, hasText, within, ...rest }: Control): string {
  const place = within ? locator(within) : 'page'
  const exact = isExact ? 'exact: true' : ''
  const filter = hasText ? `.filter({ hasText: ${text(hasText)} })` : ''
  if (by === 'role') {
    const options = [...(name ? [`name: ${text(name)}`] : []), ...(isExact ? [exact] : [])].join(', ')
    const role = 'role' in rest ? rest.role : ''
    return `${place}.getByRole(${quote(role)}${options === '' ? '' : `, { ${options} }`})${filter}`
  }
  const method = {
    testid: 'TestId',
    label: 'Label',
    placeholder: 'Placeholder',
    text: 'Text',
    alt: 'AltText',
    title: 'Title',
  }[by]
  return `${place}.getBy${method}(${text(name ?? [])}${isExact ? `, { ${exact} }` : ''})${filter}`
}

/** Below the base URL, whatever path that has. */
function address(parts: BrowserText): string {
  const [first] = parts
  return typeof first === 'string' && first.startsWith('/') ? text([`.${first}`, ...parts.slice(1)]) : text(parts)
}

function value(one: BrowserValue): string {
  return 'variable' in one ? `process.env.${one.variable} ?? ''` : text(one)
}

function text(parts: BrowserText): string {
  if (parts.every((part) => typeof part === 'string')) return quote(parts.join(''))
  const filled = parts.map((part) => (typeof part === 'string' ? inTemplate(part) : `\${captured.${part.recall}}`))
  return `\`${filled.join('')}\``
}

/** A string of JavaScript in single quotes. */
function quote(plain: string): string {
  return `'${JSON.stringify(plain)
    .slice(1, -1)
    .replace(/\\"/g, '"')
    .replaceAll("'", String.raw`\'`)}'`
}

function inTemplate(plain: string): string {
  return plain.replace(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
}
