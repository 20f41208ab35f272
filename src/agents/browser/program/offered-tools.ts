import { resolveAddress } from '../../../spec/browser/addresses.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { ownServer, ownTools } from '../../report-access.ts'
import { reportTools } from './browser-tools.ts'
import { browserServer } from '../playwright-server.ts'
import type { AgentEvent } from '../../agent.ts'
import type { OfferedTool } from './model-tools.ts'
import type { Browser } from './open-browser.ts'
import type { OpenTools } from './open-tools.ts'
import type { ToolOutput } from '../../../mcp/tool-call.ts'
import type { CallOptions, ToolServer } from './tool-server.ts'

/** The server answers within 20 s. */
const reportTimeoutMs = 60_000

interface ToolEvents {
  /** Address of the web application: relative ones are below it. */
  readonly baseUrl?: string | undefined
  emit(event: AgentEvent): void
  /** A step was reported, and the report was taken. */
  onReport(): void
}

/** What the model may call: the browser, the reports of mdtest, and what other servers have. */
export function offeredTools(
  { browser, reports, others }: OpenTools,
  { baseUrl, emit, onReport }: ToolEvents,
): readonly OfferedTool[] {
  return [
    ...browser.tools.map((tool): OfferedTool => ({
      name: tool.name,
      server: browserServer,
      journalName: tool.name,
      kind: 'browser',
      tool,
      // What waits for the browser is not done yet.
      before: async () => browser.ready,
      run: (input, signal) => act(browser, { tool: tool.name, input, baseUrl, options: signal ? { signal } : {} }),
    })),
    ...reportTools.map((tool): OfferedTool => ({
      name: tool.name,
      server: ownServer,
      journalName: `${ownTools}${tool.name}`,
      kind: 'mcp',
      tool,
      async run(input, signal) {
        const output = await reports.call(tool.name, input, { timeoutMs: reportTimeoutMs, ...(signal && { signal }) })
        if (tool.name === 'report_step' && !output.isError) onReport()
        return output
      },
      ...(tool.name === 'report_step' && { isAlone: true, before: keepSight(browser, emit) }),
    })),
    ...[...others].flatMap(([server, opened]) => toolsOf(server, opened)),
  ]
}

function toolsOf(server: string, opened: ToolServer): readonly OfferedTool[] {
  return opened.tools.map((tool) => {
    const name = `mcp__${server}__${tool.name}`
    return {
      name: nameForModel(name),
      server,
      journalName: name,
      kind: 'mcp',
      tool,
      run: (input, signal) => opened.call(tool.name, input, signal ? { signal } : {}),
    }
  })
}

/** All providers take names of this form. */
function nameForModel(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 64)
}

interface Action {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly baseUrl: string | undefined
  readonly options: CallOptions
}

/** After these the page may look different. */
const changesPage =
  /^browser_(?:navigate|click|type|press_key|select_option|fill_form|hover|drag|handle_dialog|tabs|file_upload|wait_for)/

/** A model is shown what became of the page without asking: it would ask anyway, with one more request. */
async function act(browser: Browser, { tool, input: given, baseUrl, options }: Action): Promise<ToolOutput> {
  const input = withWholeAddress(given, baseUrl)
  if (input === undefined) return { isError: true, text: noWebAddress, parts: [] }
  const output = await (tool === 'browser_wait_for' ? waitFor : call)(browser, { tool, input, baseUrl, options })
  if (output.isError) endWithoutTrust(browser, { text: output.text, baseUrl })
  if (output.isError || !changesPage.test(tool)) return output
  const page = await browser.call('browser_snapshot', {}, options)
  return page.isError ? output : { ...output, text: `${output.text}\n${page.text}` }
}

function call(browser: Browser, { tool, input, options }: Action): Promise<ToolOutput> {
  return browser.call(tool, input, options)
}

const usualWaitS = 10
const longestWaitS = 120

/** Playwright waits for a text as long as for a click, and for a time before it. Here the time is that of the text. */
async function waitFor(browser: Browser, action: Action): Promise<ToolOutput> {
  const { text, textGone, time } = action.input
  if (text === undefined && textGone === undefined) return call(browser, action)
  const { time: _time, ...input } = action.input
  const seconds = Math.min(typeof time === 'number' && time > 0 ? time : usualWaitS, longestWaitS)
  const endMs = performance.now() + seconds * 1000
  for (;;) {
    const output = await call(browser, { ...action, input })
    if (!output.isError || !/\bTimeout \d+ms exceeded/.test(output.text)) return output
    if (performance.now() >= endMs) return { ...output, text: `${output.text}\nWaited for ${seconds} s.` }
  }
}

/** A page of the model's own making (`data:…`) would show whatever the model would like to quote: then nothing. */
function withWholeAddress(input: Action['input'], baseUrl: string | undefined): Action['input'] | undefined {
  const { url } = input
  if (typeof url !== 'string' || url === 'about:blank') return input
  const whole = resolveAddress(url, baseUrl)
  return whole === undefined ? undefined : { ...input, url: whole }
}

const noWebAddress =
  'Only addresses that begin with http:// or https://, and paths below the base URL where there is one, can be opened.'

/** The application was not seen at all: that is no failure of it. */
function endWithoutTrust(
  browser: Browser,
  { text, baseUrl }: { readonly text: string; readonly baseUrl: string | undefined },
): void {
  const [, error, url] = /\b(net::ERR_(?:CERT|SSL)_\w+)(?: at (\S+))?/.exec(text) ?? []
  if (error === undefined || !isOfApplication(url, baseUrl)) return
  browser.giveUp(
    new MdtestError(
      'AGENT_BROWSER_UNAVAILABLE',
      `The browser does not trust the certificate of ${url ?? baseUrl ?? 'the page'} (${error}).`,
      {
        hint: 'If that is as it should be there, set `--ignore-https-errors`, `ignore-https-errors: true` in the front matter or the option `ignoreHttpsErrors`; else have the system trust who signed it.',
      },
    ),
  )
}

function isOfApplication(url: string | undefined, baseUrl: string | undefined): boolean {
  if (url === undefined || baseUrl === undefined || !URL.canParse(url)) return true
  return new URL(url).hostname === new URL(baseUrl).hostname
}

/** What the page looks like is kept when its step is reported, whatever is reported. */
function keepSight(
  browser: Browser,
  emit: (event: AgentEvent) => void,
): (input: Readonly<Record<string, unknown>>) => Promise<void> {
  let count = 0
  return async ({ step }) => {
    count += 1
    const id = String(step)
    const name = `${String(count).padStart(2, '0')}-${id.replaceAll(/[^\w-]+/g, '-').slice(0, 60)}`
    const file = await browser.screenshot(name)
    if (file !== undefined) emit({ type: 'image', file, step: id })
    await browser.saveTraffic(name)
  }
}
