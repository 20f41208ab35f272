import { basename } from 'node:path'
import { planBlocks, isLeftOut } from '../../scenario/plan-blocks.ts'
import type { BrowserLine, BrowserText, BrowserValue, Control } from '../../spec/browser/browser-line.ts'
import { stepsOf, type Block, type Scenario, type Step } from '../../spec/spec.ts'
import { inTemplate, lineCheck } from './playwright-checks.ts'

/** What is recorded of a spec. */
export interface RecordedSpec {
  /** Unlike that of any other spec. */
  readonly name: string
  readonly baseUrl: string | undefined
  /** With recorded blocks in the place of the agent. */
  readonly scenarios: readonly Scenario[]
}

/** A file of Playwright that does what the recorded `browser` blocks of specs do: a test for each scenario. */
export function playwrightTest(specs: readonly RecordedSpec[]): string {
  const isOne = specs.length === 1
  const body = specs.flatMap(({ name, baseUrl, scenarios }) => {
    const base = baseUrl === undefined ? [] : [`test.use({ baseURL: ${quote(`${baseUrl.replace(/\/+$/, '')}/`)} })`]
    const parts = [base, ...scenarios.map(linesOfScenario)].filter(({ length }) => length > 0)
    const lines = parts.flatMap((part, index) => (index === 0 ? part : ['', ...part]))
    // Scenarios of two specs may have the same title, and each spec has an address of its own.
    return isOne ? lines : ['', `test.describe(${quote(name)}, () => {`, ...indented(lines), '})']
  })
  const usesSeen = body.some((line) => line.includes('seen('))
  const imports = `import { expect, test${usesSeen ? ', type Page' : ''} } from '@playwright/test'`
  return `${[imports, ...(isOne ? [''] : []), ...body, ...(usesSeen ? ['', seen] : [])].join('\n')}\n`
}

/** Whether a test of a scenario would do anything: one that does nothing passes. */
export function usesBrowser(scenario: Scenario): boolean {
  return stepsOf(scenario).some(({ blocks }) => blocks.some(isPrinted))
}

/** Each test has a page and cookies of its own, as each scenario has. */
function linesOfScenario(scenario: Scenario): readonly string[] {
  const { title, line } = scenario
  if (!usesBrowser(scenario)) return [`// Left out: no \`browser\` block is recorded of ${quote(title)}, line ${line}.`]
  const blocks = planBlocks(scenario)
  const steps = stepsOf(scenario).filter((step) => !isLeftOut(step))
  const body = [
    ...blocks.setup.map(leftOut),
    ...steps.flatMap((step) => linesOfStep(step, blocks.of(step))),
    ...blocks.teardown.map(leftOut),
  ]
  const captured = body.some((one) => one.includes('captured')) ? ['const captured: Record<string, string> = {}'] : []
  return [`test(${quote(title)}, async ({ page }) => {`, ...indented([...captured, ...body]), '})']
}

function linesOfStep({ title, line, actor, replay }: Step, blocks: readonly Block[]): readonly string[] {
  if (replay === undefined) {
    const agent = actor === 'agent' ? [`// Left out: an agent carries out ${quote(title)}, line ${line}.`] : []
    return [...agent, ...blocks.map(leftOut)]
  }
  return [
    `await test.step(${quote(title)}, async () => {`,
    ...indented(
      blocks.flatMap((block) =>
        isPrinted(block) ? block.lines.flatMap((one, at) => linesOf(one, block.lines[at + 1])) : leftOut(block),
      ),
    ),
    '})',
  ]
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`))
}

type BrowserBlock = Extract<Block, { kind: 'browser' }>

/** Those of the spec itself have another page, with other cookies. */
function isPrinted(block: Block): block is BrowserBlock {
  return block.kind === 'browser' && block.isRecorded === true
}

function leftOut({ kind, line, file }: Block): string {
  const why = kind === 'browser' ? "is the spec's own, with a page of its own" : 'is none of a browser'
  const place = file === undefined ? `line ${line}` : `line ${line} of ${JSON.stringify(basename(file))}`
  return `// Left out: the \`${kind}\` block of ${place} ${why}.`
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
