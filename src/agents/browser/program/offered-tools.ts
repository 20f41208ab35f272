import { isWebAddress } from '../../../spec/front-matter/value-forms.ts'
import { ownServer, ownTools } from '../../report-access.ts'
import { browserServer } from '../playwright-server.ts'
import type { AgentEvent } from '../../agent.ts'
import type { OfferedTool } from './model-tools.ts'
import type { Browser } from './open-browser.ts'
import type { OpenTools } from './open-tools.ts'
import type { CallOptions, ToolOutput, ToolServer } from './tool-server.ts'

/** The server answers within 20 s. */
const reportTimeoutMs = 60_000

interface ToolEvents {
  emit(event: AgentEvent): void
  /** A step was reported, and the report was taken. */
  onReport(): void
}

/** What the model may call: the browser, the reports of mdtest, and what other servers have. */
export function offeredTools(
  { browser, reports, others }: OpenTools,
  { emit, onReport }: ToolEvents,
): readonly OfferedTool[] {
  return [
    ...browser.tools.map((tool): OfferedTool => ({
      name: tool.name,
      server: browserServer,
      journalName: tool.name,
      kind: 'browser',
      tool,
      run: (input, signal) => act(browser, { tool: tool.name, input, options: signal ? { signal } : {} }),
    })),
    ...reports.tools.map((tool): OfferedTool => ({
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
  readonly options: CallOptions
}

/** After these the page may look different. */
const changesPage =
  /^browser_(?:navigate|click|type|press_key|select_option|fill_form|hover|drag|handle_dialog|tabs|file_upload|wait_for)/

/** A model is shown what became of the page without asking: it would ask anyway, with one more request. */
async function act(browser: Browser, { tool, input, options }: Action): Promise<ToolOutput> {
  if (!leadsToWeb(input)) return { isError: true, text: noWebAddress, images: [] }
  const output = await browser.call(tool, input, options)
  if (output.isError || !changesPage.test(tool)) return output
  const page = await browser.call('browser_snapshot', {}, options)
  return page.isError ? output : { ...output, text: `${output.text}\n${page.text}` }
}

/** A page of the model's own making (`data:…`) would show whatever the model would like to quote. */
function leadsToWeb({ url }: Readonly<Record<string, unknown>>): boolean {
  return typeof url !== 'string' || url === 'about:blank' || isWebAddress(url)
}

const noWebAddress = 'Only whole addresses that begin with http:// or https:// can be opened.'

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
