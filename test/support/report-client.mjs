// What a program that stands in for an agent CLI needs in order to report steps, without any dependency.
import { readFileSync } from 'node:fs'

/** Where reports go, as Claude Code is told: in the file behind `--mcp-config`. Nothing where there is none. */
export function reportAccess(argv = process.argv) {
  const at = argv.indexOf('--mcp-config')
  return at === -1 ? undefined : JSON.parse(readFileSync(argv[at + 1], 'utf8')).mcpServers.mdtest
}

/** Calls a tool of the report server. Gives the answer as it came. */
export async function callReportTool({ url, headers }, name, input) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return response.text()
}

let reports = 0

/** Reports a step, and says so in the stream before and after, as Claude Code does: mdtest waits for what is not there. */
export async function reportStep(input) {
  const id = `report-${(reports += 1)}`
  const print = (type, part) => console.log(JSON.stringify({ type, message: { content: [part] } }))
  print('assistant', { type: 'tool_use', id, name: 'mcp__mdtest__report_step', input })
  const content = await callReportTool(reportAccess(), 'report_step', input)
  print('user', { type: 'tool_result', tool_use_id: id, content })
  return content
}
