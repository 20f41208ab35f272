import { resolveAddress } from '../../../spec/browser/addresses.ts'
import type { ServerTool, ToolOutput } from '../../../mcp/mcp-session.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { ActivityKind, AgentEvent } from '../../agent.ts'
import { ownServer } from '../../report-access.ts'
import { browserTools, reportTools } from '../browser-tools.ts'
import { browserServer } from '../playwright-server.ts'
import type { BrowserWatch } from './browser-watch.ts'
import type { Browser } from './open-browser.ts'
import type { TaskServers } from './tool-servers.ts'

type Input = Readonly<Record<string, unknown>>

export interface OfferedTool {
  readonly name: string
  readonly server: string
  readonly kind: ActivityKind
  readonly tool: ServerTool
  /** Whether it counts only where the model makes no other call at the same time: it has to have seen what those gave. */
  readonly isAlone?: boolean
  /** Done before the call is told of. */
  before?(input: Input): Promise<void>
  run(input: Input, signal: AbortSignal | undefined): Promise<ToolOutput>
}

const reportTimeoutMs = 60_000

interface Offer {
  readonly browser: Promise<Browser>
  readonly watch: BrowserWatch
  readonly baseUrl: string | undefined
  emit(event: AgentEvent): void
}

export function offeredTools({ reports, others }: TaskServers, offer: Offer): readonly OfferedTool[] {
  const keepSight = sightKeeper(offer)
  return [
    ...browserTools.map((tool): OfferedTool => ({
      ...{ name: tool.name, server: browserServer, kind: 'browser', tool },
      // A call that waits for the browser has not begun.
      before: async () => void (await Promise.allSettled([offer.browser])),
      async run(input, signal) {
        const { call } = await offer.browser
        return act(tool.name, input, { ...offer, call: (name, given) => call(name, given, { signal }) })
      },
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

const changesPage =
  /^browser_(?:navigate|click|type|press_key|select_option|fill_form|hover|drag|handle_dialog|tabs|file_upload|wait_for)/

type Call = (tool: string, input: Input) => Promise<ToolOutput>

/** A model is shown what became of the page without asking: it would ask anyway, with one more request. */
async function act(
  tool: string,
  given: Input,
  { call, baseUrl, watch }: Pick<Offer, 'baseUrl' | 'watch'> & { readonly call: Call },
): Promise<ToolOutput> {
  const input = withWholeAddress(given, baseUrl)
  if (input === undefined) return { isError: true, text: noWebAddress, parts: [] }
  const output = await (tool === 'browser_wait_for' ? waitFor(input, call) : call(tool, input))
  const distrust = output.isError ? distrustIn(output.text, baseUrl) : undefined
  if (distrust !== undefined) watch.end(distrust)
  if (output.isError || !changesPage.test(tool)) return output
  const page = await call('browser_snapshot', {})
  return page.isError ? output : { ...output, text: `${output.text}\n${page.text}` }
}

const usualWaitS = 10
const longestWaitS = 120

/** Playwright waits for a text as long as for a click, and for a time before it. Here the time is that of the text. */
async function waitFor(given: Input, call: Call): Promise<ToolOutput> {
  const { time, ...input } = given
  if (input.text === undefined && input.textGone === undefined) return call('browser_wait_for', given)
  const seconds = Math.min(typeof time === 'number' && time > 0 ? time : usualWaitS, longestWaitS)
  const endMs = performance.now() + seconds * 1000
  for (;;) {
    const output = await call('browser_wait_for', input)
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
  const message = `The browser does not trust the certificate of ${url} (${error}).`
  return new MdtestError('AGENT_BROWSER_UNAVAILABLE', message, {
    hint: 'If that is as it should be there, set `--ignore-https-errors`, `ignore-https-errors: true` in the front matter or the option `ignoreHttpsErrors`; else have the system trust who signed it.',
  })
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
