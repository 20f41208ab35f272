// A scripted model in place of a real one. It speaks OpenAI's Responses API and makes fixed moves: no key, no cost.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

/** The ref of a control on the newest page. */
const refOf = (results, control) => {
  const page = results.findLast((text) => text.includes('### Snapshot')) ?? ''
  return new RegExp(`- ${control}[^\\n]*\\[ref=(\\w+)\\]`).exec(page.slice(page.lastIndexOf('### Snapshot')))?.[1]
}
const find = (results, pattern) => pattern.exec(results.findLast((text) => pattern.test(text)) ?? '')?.[1]

const open = (url) => () => ['browser_navigate', { url }]
const click = (control) => (results) => ['browser_click', { target: refOf(results, control) }]
const type = (control, text) => (results) => ['browser_type', { target: refOf(results, control), text }]
const typeSecret =
  (control, name, submit = false) =>
  (results) => ['type_secret', { target: refOf(results, control), name, submit }]
const addressIn = (results) => find(results, /(mdtest-\S+@\S+\.test)/)
const report =
  (step, line, checks = 1) =>
  (results) => {
    const evidence = [{ quote: find(results, new RegExp(`- (${line}[^\\n]*)`)) }]
    return [
      'report_step',
      { step, status: 'pass', evidence, checks: [{ n: 1, status: 'pass', evidence }].slice(0, checks) },
    ]
  }

const asCustomer = [
  open('/login'),
  type('textbox "Name"', 'customer'),
  typeSecret('textbox "Password"', 'SHOP_PASSWORD', true),
  typeSecret('textbox "Code"', 'SHOP_CODE'),
  click('button "Sign in"'),
]
const asAdmin = [
  open('/login'),
  () => ['new_address', {}],
  (results) => [
    'browser_type',
    { target: refOf(results, 'textbox "Mail address"'), text: addressIn(results), submit: true },
  ],
  (results) => ['wait_for_mail', { address: addressIn(results), subject: 'link' }],
  (results) => ['browser_navigate', { url: find(results, /^- (http\S+)/m) }],
]

/** Tool calls by the name of the spec. Each is made from the results of the calls before. */
export const moves = {
  'sign-in': [
    ...asCustomer,
    report('1-sign-in-as-customer', 'status'),
    ...asAdmin,
    report('2-sign-in-as-admin', 'status'),
  ],
  order: [
    open('/'),
    click('button "Order a blue mug"'),
    report('1-order', 'paragraph'),
    open('/'),
    click('button "Ship all"'),
    report('2-ship', 'paragraph'),
  ],
  'AUTH_LOGIN.customer': [...asCustomer, report('1-log-in', 'status', 0)],
  'AUTH_LOGIN.admin': [...asAdmin, report('1-log-in', 'status', 0)],
}

function answer({ input, instructions = '' }) {
  const spec = /^Specification: (.+?)(?:\.test)?\.md$/m.exec(
    [instructions, JSON.stringify(input)].join('\n').replaceAll('\\n', '\n'),
  )?.[1]
  const outputs = input.filter(({ type }) => type === 'function_call_output').map(({ output }) => textOf(output))
  const results = outputs.filter((text) => !text.includes('still checks'))
  if (outputs.at(-1)?.includes('still checks')) return ['next_step', {}]
  return moves[spec]?.[results.length]?.(results)
}

function textOf(output) {
  return typeof output === 'string' ? output : output.map(({ text = '' }) => text).join('\n')
}

let count = 0
const server = createServer(async (request, response) => {
  const chunks = await request.toArray()
  const body = JSON.parse(Buffer.concat(chunks).toString())
  const [name, given] = answer(body) ?? []
  count += 1
  const content = [{ type: 'output_text', text: 'All is done.', annotations: [] }]
  const item =
    name === undefined
      ? { type: 'message', id: `msg_${count}`, role: 'assistant', status: 'completed', content }
      : { type: 'function_call', id: `fc_${count}`, call_id: `call_${count}`, name, arguments: JSON.stringify(given) }
  const usage = { input_tokens: 0, output_tokens: 0 }
  const whole = { id: `resp_${count}`, object: 'response', created_at: 1, status: 'completed', model: body.model }
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...whole, output: [item], usage }))
})
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { MODEL_PORT = '4000' } = process.env
  server.listen(Number(MODEL_PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`))
}
