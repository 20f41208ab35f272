import { resolveAddress } from '../../../spec/browser/addresses.ts'
import type { ServerTool, ToolOutput } from '../../../mcp/tool-call.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { ActivityKind, AgentEvent } from '../../agent.ts'
import { ownServer } from '../../report-access.ts'
import { browserTools, reportTools } from '../browser-tools.ts'
import { browserServer } from '../playwright-server.ts'
import type { BrowserWatch } from './browser-watch.ts'
import type { Browser } from './open-browser.ts'
import type { CallOptions, TaskServers } from './tool-servers.ts'

type Input = Readonly<Record<string, unknown>>

/** A tool as the model gets it. */
export interface OfferedTool {
  /** Name for the model. */
  readonly name: string
  /** By the name under which agents know the server. */
  readonly server: string
  readonly kind: ActivityKind
  readonly tool: ServerTool
  /** Whether it counts only where the model makes no other call at the same time: it has to have seen what those gave. */
  readonly isAlone?: boolean
  /** Done before the call is told of. */
  before?(input: Input): Promise<void>
  run(input: Input, signal: AbortSignal | undefined): Promise<ToolOutput>
}

/** The server answers within 20 s. */
const reportTimeoutMs = 60_000

interface Offer {
  /** Calls wait until it is open. */
  readonly browser: Promise<Browser>
  readonly watch: BrowserWatch
  /** Address of the web application: relative ones are below it. */
  readonly baseUrl: string | undefined
  emit(event: AgentEvent): void
}

/** What the model may call: the browser, the reports of mdtest, and what other servers have. */
export function offeredTools({ reports, others }: TaskServers, offer: Offer): readonly OfferedTool[] {
  const keepSight = sightKeeper(offer)
  return [
    ...browserTools.map((tool): OfferedTool => ({
      ...{ name: tool.name, server: browserServer, kind: 'browser', tool },
      // A call that waits for the browser has not begun.
      before: () => offer.browser.then(nothing, nothing),
      run: async (input, signal) => act(await offer.browser, { tool: tool.name, input, options: { signal } }, offer),
    })),
    ...reportTools.map((tool): OfferedTool => ({
      ...{ name: tool.name, server: ownServer, kind: 'mcp', tool },
      run: (input, signal) => reports.call(tool.name, input, { timeoutMs: reportTimeoutMs, signal }),
      ...(tool.name === 'report_step' && { isAlone: true, before: keepSight }),
    })),
    ...[...others].flatMap(([server, opened]) =>
      opened.tools.map((tool): OfferedTool => ({
        // All providers take names of this form.
        name: `mcp__${server}__${tool.name}`.replaceAll(/[^\w-]/g, '_').slice(0, 64),
        ...{ server, kind: 'mcp', tool },
        run: (input, signal) => opened.call(tool.name, input, { signal }),
      })),
    ),
  ]
}

function nothing(): void {}

interface Action {
  readonly tool: string
  readonly input: Input
  readonly options: CallOptions
}

/** After these the page may look different. */
const changesPage =
  /^browser_(?:navigate|click|type|press_key|select_option|fill_form|hover|drag|handle_dialog|tabs|file_upload|wait_for)/

/** A model is shown what became of the page without asking: it would ask anyway, with one more request. */
async function act(browser: Browser, action: Action, { baseUrl, watch }: Offer): Promise<ToolOutput> {
  const { tool, options } = action
  const input = withWholeAddress(action.input, baseUrl)
  if (input === undefined) return { isError: true, text: noWebAddress, parts: [] }
  const output = await (tool === 'browser_wait_for'
    ? waitFor(browser, { ...action, input })
    : browser.call(tool, input, options))
  if (output.isError) {
    const distrust = distrustIn(output.text, baseUrl)
    if (distrust !== undefined) watch.end(distrust)
  }
  if (output.isError || !changesPage.test(tool)) return output
  const page = await browser.call('browser_snapshot', {}, options)
  return page.isError ? output : { ...output, text: `${output.text}\n${page.text}` }
}

const usualWaitS = 10
const longestWaitS = 120

/** Playwright waits for a text as long as for a click, and for a time before it. Here the time is that of the text. */
async function waitFor(browser: Browser, { tool, input: given, options }: Action): Promise<ToolOutput> {
  const { time, ...input } = given
  if (input.text === undefined && input.textGone === undefined) return browser.call(tool, given, options)
  const seconds = Math.min(typeof time === 'number' && time > 0 ? time : usualWaitS, longestWaitS)
  const endMs = performance.now() + seconds * 1000
  for (;;) {
    const output = await browser.call(tool, input, options)
    if (!output.isError || !/\bTimeout \d+ms exceeded/.test(output.text)) return output
    if (performance.now() >= endMs) return { ...output, text: `${output.text}\nWaited for ${seconds} s.` }
  }
}

/** A page of the model's own making (`data:…`) would show whatever the model would like to quote: then nothing. */
function withWholeAddress(input: Input, baseUrl: string | undefined): Input | undefined {
  if (typeof input.url !== 'string' || input.url === 'about:blank') return input
  const url = resolveAddress(input.url, baseUrl)
  return url === undefined ? undefined : { ...input, url }
}

const noWebAddress =
  'Only addresses that begin with http:// or https://, and paths below the base URL where there is one, can be opened.'

/** The application was not seen at all: that is no failure of it. */
function distrustIn(text: string, baseUrl: string | undefined): MdtestError | undefined {
  const [, error, url = baseUrl ?? 'the page'] = /\b(net::ERR_(?:CERT|SSL)_\w+)(?: at (\S+))?/.exec(text) ?? []
  const isOfOther = baseUrl !== undefined && URL.canParse(url) && new URL(url).hostname !== new URL(baseUrl).hostname
  if (error === undefined || isOfOther) return undefined
  return new MdtestError(
    'AGENT_BROWSER_UNAVAILABLE',
    `The browser does not trust the certificate of ${url} (${error}).`,
    {
      hint: 'If that is as it should be there, set `--ignore-https-errors`, `ignore-https-errors: true` in the front matter or the option `ignoreHttpsErrors`; else have the system trust who signed it.',
    },
  )
}

/** What the page looks like is kept when its step is reported, whatever is reported. */
function sightKeeper({ browser, emit }: Offer): (input: Input) => Promise<void> {
  let count = 0
  return async ({ step }) => {
    count += 1
    const id = String(step)
    const name = `${String(count).padStart(2, '0')}-${id.replaceAll(/[^\w-]+/g, '-').slice(0, 60)}`
    const { screenshot, saveTraffic } = await browser
    const file = await screenshot(name)
    if (file !== undefined) emit({ type: 'image', file, step: id })
    await saveTraffic(name)
  }
}
