import type { ServerTool } from '../../mcp/mcp-session.ts'

type Schema = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, Schema>>
type Tools = Readonly<Record<string, readonly [description: string, required: Properties, optional?: Properties]>>

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const number: Schema = { type: 'number' }
/** Reference or selector of an element. Needs no description, because the prompt explains it. */
const target: Schema = text
const of = (...words: readonly string[]): Schema => ({ enum: words, type: 'string' })
const all = (items: Schema): Schema => ({ type: 'array', items })
const some = (description: string, type = 'string'): Schema => ({ type, description })
const time = some('seconds; with a text the longest wait (10)', 'number')
const type = of('textbox', 'checkbox', 'radio', 'combobox', 'slider')
const field = object({ target, name: text, type, value: some('of a checkbox true or false') })

// Descriptions are short, because each request repeats them. Left out: `browser_evaluate`, because its output can be
// the model's own text, and `browser_run_code_unsafe`, because it runs code in the server's process.
export const browserTools = toolsOf({
  browser_navigate: ['Open an address or a path', { url: text }],
  browser_navigate_back: ['Go back', {}],
  browser_snapshot: ['Show the page, or a part of it, as a tree', {}, { target, depth: number }],
  browser_find: ['Find a text or a pattern on the page', {}, { text, regex: some('/pattern/i') }],
  browser_click: ['Click', { target }, { doubleClick: flag, button: of('right', 'middle'), modifiers: all(text) }],
  browser_type: ['Fill a field', { target, text }, { submit: flag, slowly: flag }],
  browser_fill_form: ['Fill several fields', { fields: all(field) }],
  browser_select_option: ['Choose in a list', { target, values: all(text) }],
  browser_press_key: ['Press a key: ArrowLeft, Control+a, a', { key: text }],
  browser_hover: ['Hover over something', { target }],
  browser_drag: ['Drag one thing to another', { startTarget: target, endTarget: target }],
  browser_handle_dialog: ['Answer a dialog of the page', { accept: flag }, { promptText: text }],
  browser_wait_for: ['Wait until a text is there or is gone, or for a time', {}, { text, textGone: text, time }],
  browser_take_screenshot: ['Show a picture of the page, for what no snapshot shows', {}, { target, fullPage: flag }],
  browser_console_messages: ['Show the console', {}, { all: flag }],
  browser_network_requests: ['Show the requests', {}, { static: flag, filter: text }],
  browser_tabs: ['Work with tabs', { action: of('list', 'new', 'close', 'select') }, { index: number, url: text }],
  browser_file_upload: ['Give files to an open file chooser; none cancels it', {}, { paths: all(some('absolute')) }],
  browser_verify_text_visible: ['Verify that a text is visible', { text }],
  browser_verify_element_visible: ['Verify that something is visible', { role: text, accessibleName: text }],
  browser_verify_value: ['Verify the exact value of a field', { type, target, value: text }],
  browser_verify_list_visible: ['Verify a list with its items', { target, items: all(text) }],
})

export const [typeSecretTool, newAddressTool, waitForMailTool] = toolsOf({
  type_secret: [
    'Type a secret or one-time code, `{{secret:NAME}}` in a spec, into its field. You give the name alone; nobody shows you the value',
    { target, name: text },
    { submit: flag },
  ],
  new_address: ['Get a new mail address that `wait_for_mail` can read', {}],
  wait_for_mail: [
    'Wait for the next mail to an address',
    { address: text },
    { subject: some('a part of it'), time: some('seconds; the longest wait (30)', 'number') },
  ],
}) as unknown as readonly [ServerTool, ServerTool, ServerTool] // the three tools above

const status = of('pass', 'fail', 'blocked', 'skipped')
const evidence = all(object({ quote: text }, { step: text }))
const checks = all(object({ n: { type: 'integer' }, status, evidence }, { observed: text }))

export const reportTools = toolsOf({
  report_step: [
    'Report a step, in a turn of its own. The answer says what to do next',
    { step: text, status },
    { observed: text, evidence, checks },
  ],
  next_step: ['Ask what comes next, where mdtest was still checking', {}],
})

function toolsOf(tools: Tools): readonly ServerTool[] {
  return Object.entries(tools).map(([name, [description, required, optional]]) => ({
    ...{ name, description, inputSchema: object(required, optional) },
  }))
}

function object(required: Properties, optional: Properties = {}): Schema {
  const names = Object.keys(required)
  return { type: 'object', properties: { ...required, ...optional }, ...(names.length > 0 && { required: names }) }
}
