import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StepReports } from '../../../src/host/agent-reports/step-reports.ts'
import {
  startReportServer,
  type ReportEndpoint,
  type ReportServer,
} from '../../../src/host/agent-reports/report-server.ts'

let server: ReportServer
beforeAll(async () => {
  server = await startReportServer()
})
afterAll(() => server.close())

function open(): { readonly stepReports: StepReports; readonly access: ReportEndpoint } {
  const stepReports = new StepReports({ steps: ['1-a'], now: () => new Date() })
  return { stepReports, access: server.open(stepReports) }
}

interface Sent {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Not `fetch`, which sets the header `Host` itself. */
function post(url: string, { token, headers = {}, body = '{}' }: Sent): Promise<{ status: number; text: string }> {
  const all = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers: all }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** One call of JSON-RPC; its answer is an event of a stream or plain JSON. */
async function call({ url, token }: ReportEndpoint, method: string, params: unknown = {}): Promise<unknown> {
  const headers = { 'mcp-protocol-version': '2025-06-18' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { text } = await post(url, { token, headers, body })
  const answer: unknown = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text)
  return typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : answer
}

const callTool = (access: ReportEndpoint, name: string, input: unknown): Promise<unknown> =>
  call(access, 'tools/call', { name, arguments: input })

describe('the report server', () => {
  test('answers the first message of each protocol version that the CLIs speak', async () => {
    const { access } = open()
    for (const protocolVersion of ['2025-06-18', '2025-11-25']) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } }
      expect(await call(access, 'initialize', params)).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'mdtest' },
      })
    }
  })

  test('offers two tools that no agent has to ask for', async () => {
    const hints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
    expect(await call(open().access, 'tools/list')).toMatchObject({
      tools: [
        { name: 'report_step', annotations: hints, inputSchema: { required: ['status', 'step'] } },
        { name: 'next_step', annotations: hints },
      ],
    })
  })

  test('hands a report over and gives back what is answered', async () => {
    const { stepReports, access } = open()
    const report = {
      step: '1-a',
      status: 'pass',
      evidence: ['a.png', { quote: 'q' }],
      checks: [{ n: 1, status: 'pass' }],
    }
    const answer = callTool(access, 'report_step', report)
    const { step: id, ...rest } = report
    expect(await stepReports.accepts(1)).toMatchObject({ id, ...rest })
    stepReports.direct({ kind: 'finish' })
    expect(await answer).toMatchObject({ content: [{ text: expect.stringContaining('All steps are in') }] })
    expect(await callTool(access, 'next_step', {})).toMatchObject({ content: [{ type: 'text' }] })
  })

  test.for([{ step: '1-a', status: 'passed' }, { step: '1-a' }, { step: 1, status: 'pass' }, {}])(
    'refuses a report of another shape: %j',
    async (input) => {
      const { stepReports, access } = open()
      expect(await callTool(access, 'report_step', input)).toMatchObject({ isError: true })
      expect([...stepReports.accepted, ...stepReports.refused]).toEqual([])
    },
  )

  test('keeps scenarios apart by their tokens', async () => {
    const [one, other] = [open(), open()]
    void callTool(one.access, 'report_step', { step: '1-a', status: 'pass' })
    await one.stepReports.accepts(1)
    expect(other.stepReports.accepted).toEqual([])
    expect(one.access.token).not.toBe(other.access.token)
    one.stepReports.direct({ kind: 'finish' })
  })

  test('lets nobody in without a token, with a wrong one or with that of a scenario that ended', async () => {
    const { access } = open()
    const status = async (sent: Sent): Promise<number> => (await post(access.url, sent)).status
    expect(await status({})).toBe(401)
    expect(await status({ token: 'x'.repeat(64) })).toBe(401)
    expect(await status({ token: access.token })).not.toBe(401)
    access.close()
    expect(await status({ token: access.token })).toBe(401)
  })

  test('never ends an idle connection, which could happen just when a report comes', async () => {
    const { url, token } = open().access
    const { headers } = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' })
    // Node.js names the time after which it would end the connection.
    expect(headers.get('keep-alive')).toBeNull()
    expect(headers.get('connection')).toBe('keep-alive')
  })

  test('answers no web page: another Host or Origin is refused', async () => {
    const { url, token } = open().access
    expect((await post(url, { token, headers: { host: 'evil.example' } })).status).toBe(403)
    expect((await post(url, { token, headers: { origin: 'http://evil.example' } })).status).toBe(403)
  })

  test('refuses a body above its limit', async () => {
    const { url, token } = open().access
    for (const mebibytes of [1, 4])
      expect((await post(url, { token, body: `"${'x'.repeat(mebibytes * 1024 * 1024)}"` })).status).toBe(413)
  })

  test('survives whatever comes as a body', async () => {
    const { access } = open()
    for (const body of ['', '{', 'null', '[]', '[1]', '"x"', '{"jsonrpc":"2.0","id":{},"method":5}']) {
      const { status } = await post(access.url, { token: access.token, body })
      expect([body, status >= 200 && status < 500]).toEqual([body, true])
    }
    expect(await call(access, 'ping')).toEqual({})
  })
})
