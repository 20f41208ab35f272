import type { BrowserProcesses } from '../browser-processes.ts'
import type { ToolResult } from '../conversation.ts'
import type { ModelAction } from '../tool-dialect.ts'
import { callOwn, type Turn } from './report-spec.ts'

const browserTool = (tool: string, input = {}): ModelAction => ({ kind: 'mcp', server: 'playwright', tool, input })
const report = (step: string, status: 'pass' | 'fail', quote?: string): ModelAction =>
  callOwn('report_step', {
    step,
    status,
    checks: [{ n: 1, status }],
    ...(quote !== undefined && { evidence: [{ quote }] }),
  })

/**
 * Models of which none comes to a good end but one, by the name of their spec.
 *
 * @param processes finds those of a spec by its name
 */
export function endingScripts(
  shopUrl: string,
  processes: (name: string) => BrowserProcesses,
): Record<string, () => Turn> {
  const open = browserTool('browser_navigate', { url: shopUrl })
  const done = new Set<string>()
  // Each request plays the script from its start.
  const once = (what: string, act: () => void): void => {
    if (!done.has(what)) act()
    done.add(what)
  }
  return {
    // A page that crashes is the model's to handle. The browser is gone when it is used next, in vain or begun anew.
    *'browser-dies'() {
      yield open
      once('crash', () => kill(...processes('browser-dies').renderers))
      while (!isCrashed(yield browserTool('browser_snapshot')));
      yield open
      yield report('1-open', 'pass')
      once('browser', () => kill(processes('browser-dies').browser))
      yield browserTool('browser_snapshot')
      yield report('2-pay', 'fail')
      return 'It is empty.'
    },
    *'browser-dies-in-a-call'() {
      yield open
      once('in a call', () => setTimeout(() => kill(processes('browser-dies-in-a-call').browser), 300))
      yield browserTool('browser_wait_for', { time: 20 })
      yield report('1-open', 'fail')
      return 'It did not come.'
    },
    *'fails-on'() {
      for (let count = 0; count < 5; count += 1) yield browserTool('browser_click', { target: 'e999' })
      yield report('1-open', 'fail')
      return 'There was no such thing.'
    },
    *'runs-on'() {
      for (;;) yield browserTool('browser_snapshot')
    },
    *stock() {
      const { text } = yield { kind: 'mcp', server: 'stock', tool: 'mcp__stock__count', input: { product: 'blue mug' } }
      yield report('1-count', 'pass', /In stock: \d+ of blue mug/.exec(text)?.[0])
      return `Done: ${text}`
    },
  }
}

/** Where nothing was under way, Playwright only shows that the page is not there any more. */
export function isCrashed({ text }: ToolResult): boolean {
  return /crashed|Page URL: about:blank/.test(text)
}

function kill(...pids: readonly (number | undefined)[]): void {
  for (const pid of pids) {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    } catch {
      // One of several that draw pages may have ended by itself.
    }
  }
}
