import { resolveAddress } from '../../../spec/browser/addresses.ts'
import type { ToolOutput } from '../../../mcp/mcp-session.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { textOutput, type Input, type UserBrowser } from './user-browser.ts'

const changesPage =
  /^browser_(?:navigate|click|type|press_key|select_option|fill_form|hover|drag|handle_dialog|tabs|file_upload|wait_for)/

interface Caller {
  readonly user: UserBrowser
  readonly baseUrl?: string
  readonly signal?: AbortSignal | undefined
}

/** If the tool may change the page, adds a snapshot. This saves the model another request. */
export async function callPlaywright(
  tool: string,
  given: Input,
  { user, baseUrl, signal }: Caller,
): Promise<ToolOutput> {
  const input = withWholeAddress(given, baseUrl)
  if (input === undefined) return textOutput(noWebAddress, true)
  const call: Call = (name, asked) => user.call(name, asked, { signal })
  const output = await (tool === 'browser_wait_for' ? waitFor(input, call) : call(tool, input))
  return changesPage.test(tool) ? withPage(output, user, signal) : output
}

export async function withPage(
  output: ToolOutput,
  user: UserBrowser,
  signal: AbortSignal | undefined,
): Promise<ToolOutput> {
  if (output.isError) return output
  const page = await user.call('browser_snapshot', {}, { signal })
  return page.isError ? output : { ...output, text: `${output.text}\n${page.text}` }
}

type Call = (tool: string, input: Input) => Promise<ToolOutput>

const usualWaitS = 10
const longestWaitS = 120

export function waitSeconds(time: unknown, usualS: number): number {
  return Math.min(typeof time === 'number' && time > 0 ? time : usualS, longestWaitS)
}

/** Playwright sleeps for `time` before it waits for a text. Here `time` is the longest wait for the text. */
async function waitFor(given: Input, call: Call): Promise<ToolOutput> {
  const { time, ...input } = given
  if (input.text === undefined && input.textGone === undefined) return call('browser_wait_for', given)
  const seconds = waitSeconds(time, usualWaitS)
  const endMs = performance.now() + seconds * 1000
  for (;;) {
    const output = await call('browser_wait_for', input)
    if (!output.isError || !/\bTimeout \d+ms exceeded/.test(output.text)) return output
    if (performance.now() >= endMs) return { ...output, text: `${output.text}\nWaited for ${seconds} s.` }
  }
}

/** Makes the URL absolute; `undefined` for a URL such as `data:…`, whose page the model wrote itself. */
function withWholeAddress(input: Input, baseUrl: string | undefined): Input | undefined {
  if (typeof input.url !== 'string' || input.url === 'about:blank') return input
  const url = resolveAddress(input.url, baseUrl)
  return url === undefined ? undefined : { ...input, url }
}

const noWebAddress =
  'Only addresses that begin with http:// or https://, and paths below the base URL where there is one, can be opened.'

/** An error if the application's certificate is untrusted. The step is then blocked, not failed. */
export function distrustIn(text: string, baseUrl: string | undefined): MdtestError | undefined {
  const [, error, url = baseUrl ?? 'the page'] = /\b(net::ERR_(?:CERT|SSL)_\w+)(?: at (\S+))?/.exec(text) ?? []
  const isOfOther = baseUrl !== undefined && URL.canParse(url) && new URL(url).hostname !== new URL(baseUrl).hostname
  if (error === undefined || isOfOther) return undefined
  const message = `The browser does not trust the certificate of ${url} (${error}).`
  return new MdtestError('AGENT_BROWSER_UNAVAILABLE', message, {
    hint: 'If you expect that, set `--ignore-https-errors`, `ignore-https-errors: true` in the front matter or the option `ignoreHttpsErrors`. Otherwise make the system trust its issuer.',
  })
}
