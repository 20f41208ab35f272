import type { ServerTool } from '../../mcp/tool-call.ts'

type Schema = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, Schema>>

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const number: Schema = { type: 'number' }
const seconds: Schema = { type: 'number', description: 'seconds; with a text the longest wait (10)' }
/** The prompt says what that is. */
const target: Schema = text
const of = (...words: readonly string[]): Schema => ({ enum: words, type: 'string' })
const all = (items: Schema): Schema => ({ type: 'array', items })
const some = (description: string): Schema => ({ type: 'string', description })
const fieldType = of('textbox', 'checkbox', 'radio', 'combobox', 'slider')

/**
 * Playwright's tools as the model gets them. Its own descriptions are three times as long and are sent with each request;
 * names and arguments are those of its server. Never `run_code_unsafe` (code in the server's process), `evaluate` (prints
 * whatever the model likes) or `close`.
 */
export const browserTools: readonly ServerTool[] = [
  tool('browser_navigate', 'Open an address or a path', object({ url: text })),
  tool('browser_navigate_back', 'Go back', object({})),
  tool('browser_snapshot', 'Show the page, or a part of it, as a tree', object({}, { target, depth: number })),
  tool('browser_find', 'Find a text or a pattern on the page', object({}, { text, regex: some('/pattern/i') })),
  tool(
    'browser_click',
    'Click',
    object({ target }, { doubleClick: flag, button: of('right', 'middle'), modifiers: all(text) }),
  ),
  tool('browser_type', 'Fill a field', object({ target, text }, { submit: flag, slowly: flag })),
  tool(
    'browser_fill_form',
    'Fill several fields',
    object({
      fields: all(object({ target, name: text, type: fieldType, value: some('of a checkbox true or false') })),
    }),
  ),
  tool('browser_select_option', 'Choose in a list', object({ target, values: all(text) })),
  tool('browser_press_key', 'Press a key: ArrowLeft, Control+a, a', object({ key: text })),
  tool('browser_hover', 'Hover over something', object({ target })),
  tool('browser_drag', 'Drag one thing to another', object({ startTarget: target, endTarget: target })),
  tool('browser_handle_dialog', 'Answer a dialog of the page', object({ accept: flag }, { promptText: text })),
  tool(
    'browser_wait_for',
    'Wait until a text is there or is gone, or for a time',
    object({}, { text, textGone: text, time: seconds }),
  ),
  tool(
    'browser_take_screenshot',
    'Show a picture of the page, for what no snapshot shows',
    object({}, { target, fullPage: flag }),
  ),
  tool('browser_console_messages', 'Show the console', object({}, { all: flag })),
  tool('browser_network_requests', 'Show the requests', object({}, { static: flag, filter: text })),
  tool(
    'browser_tabs',
    'Work with tabs',
    object({ action: of('list', 'new', 'close', 'select') }, { index: number, url: text }),
  ),
  tool(
    'browser_file_upload',
    'Give files to an open file chooser; none cancels it',
    object({}, { paths: all(some('absolute')) }),
  ),
  tool('browser_verify_text_visible', 'Verify that a text is visible', object({ text })),
  tool(
    'browser_verify_element_visible',
    'Verify that something is visible',
    object({ role: text, accessibleName: text }),
  ),
  tool('browser_verify_value', 'Verify the exact value of a field', object({ type: fieldType, target, value: text })),
  tool('browser_verify_list_visible', 'Verify a list with its items', object({ target, items: all(text) })),
]

/** Names of Playwright's tools that agents get. */
export const offeredNames: readonly string[] = browserTools.map(({ name }) => name)

const status = of('pass', 'fail', 'blocked', 'skipped')
const evidence = all(object({ quote: text }, { step: text }))
const check = object({ n: { type: 'integer' }, status, evidence }, { observed: text })

/** Tools of mdtest's own server in the same way. The prompt says what a report is. */
export const reportTools: readonly ServerTool[] = [
  tool(
    'report_step',
    'Report a step, in a turn of its own. The answer says what to do next',
    object({ step: text, status }, { observed: text, evidence, checks: all(check) }),
  ),
  tool('next_step', 'Ask what comes next, where mdtest was still checking', object({})),
]

function tool(name: string, description: string, inputSchema: Schema): ServerTool {
  return { name, description, inputSchema }
}

function object(required: Properties, optional: Properties = {}): Schema {
  const names = Object.keys(required)
  const properties = { ...required, ...optional }
  return { type: 'object', properties, ...(names.length > 0 && { required: names }) }
}
