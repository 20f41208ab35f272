import type { ServerTool } from '../../../mcp/tool-call.ts'

type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const seconds: Schema = {
  type: 'number',
  description: 'seconds; with a text the longest wait (10)',
}
/** The prompt says what that is. */
const target: Schema = text
const of = (...words: readonly string[]): Schema => ({ enum: words, type: 'string' })
const all = (items: Schema): Schema => ({ type: 'array', items })
const some = (description: string): Schema => ({ type: 'string', description })

/**
 * Playwright's tools as the model gets them. Its own descriptions are three times as long and are sent with each request;
 * the names and arguments are those of its server.
 */
export const browserTools: readonly ServerTool[] = [
  tool(['navigate', 'Open an address or a path'], { url: text }, ['url']),
  tool(['navigate_back', 'Go back'], {}),
  tool(['snapshot', 'Show the page, or a part of it, as a tree'], {
    target,
    depth: { type: 'number' },
  }),
  tool(['find', 'Find a text or a pattern on the page'], {
    text,
    regex: some('/pattern/i'),
  }),
  tool(
    ['click', 'Click'],
    {
      target,
      doubleClick: flag,
      button: of('right', 'middle'),
      modifiers: all(text),
    },
    ['target'],
  ),
  tool(['type', 'Fill a field'], { target, text, submit: flag, slowly: flag }, ['target', 'text']),
  tool(
    ['fill_form', 'Fill several fields'],
    {
      fields: all({
        type: 'object',
        properties: {
          target,
          name: text,
          type: of('textbox', 'checkbox', 'radio', 'combobox', 'slider'),
          value: some('of a checkbox true or false'),
        },
        required: ['target', 'name', 'type', 'value'],
      }),
    },
    ['fields'],
  ),
  tool(['select_option', 'Choose in a list'], { target, values: all(text) }, ['target', 'values']),
  tool(['press_key', 'Press a key: ArrowLeft, Control+a, a'], { key: text }, ['key']),
  tool(['hover', 'Hover over something'], { target }, ['target']),
  tool(['drag', 'Drag one thing to another'], { startTarget: target, endTarget: target }, ['startTarget', 'endTarget']),
  tool(['handle_dialog', 'Answer a dialog of the page'], { accept: flag, promptText: text }, ['accept']),
  tool(['wait_for', 'Wait until a text is there or is gone, or for a time'], { text, textGone: text, time: seconds }),
  tool(['take_screenshot', 'Show a picture of the page, for what no snapshot shows'], { target, fullPage: flag }),
  tool(['console_messages', 'Show the console'], { all: flag }),
  tool(['network_requests', 'Show the requests'], {
    static: flag,
    filter: text,
  }),
  tool(
    ['tabs', 'Work with tabs'],
    { action: of('list', 'new', 'close', 'select'), index: { type: 'number' }, url: text },
    ['action'],
  ),
  tool(['file_upload', 'Give files to an open file chooser; none cancels it'], { paths: all(some('absolute')) }),
  tool(['verify_text_visible', 'Verify that a text is visible'], { text }, ['text']),
  tool(['verify_element_visible', 'Verify that something is visible'], { role: text, accessibleName: text }, [
    'role',
    'accessibleName',
  ]),
  tool(
    ['verify_value', 'Verify the exact value of a field'],
    { type: of('textbox', 'checkbox', 'radio', 'combobox', 'slider'), target, value: text },
    ['type', 'target', 'value'],
  ),
  tool(['verify_list_visible', 'Verify a list with its items'], { target, items: all(text) }, ['target', 'items']),
]

function tool(
  [name, description]: readonly [name: string, description: string],
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): ServerTool {
  return {
    name: `browser_${name}`,
    description,
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
  }
}

const status = of('pass', 'fail', 'blocked', 'skipped')
const evidence = all({ type: 'object', properties: { quote: text, step: text }, required: ['quote'] })

/** Tools of mdtest's own server in the same way. The prompt says what a report is. */
export const reportTools: readonly ServerTool[] = [
  {
    name: 'report_step',
    description: 'Report a step, in a turn of its own. The answer says what to do next',
    inputSchema: {
      type: 'object',
      properties: {
        step: text,
        status,
        observed: text,
        evidence,
        checks: all({
          type: 'object',
          properties: { n: { type: 'integer' }, status, observed: text, evidence },
          required: ['n', 'status', 'evidence'],
        }),
      },
      required: ['step', 'status'],
    },
  },
  {
    name: 'next_step',
    description: 'Ask what comes next, where mdtest was still checking',
    inputSchema: { type: 'object', properties: {} },
  },
]
