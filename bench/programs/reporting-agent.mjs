#!/usr/bin/env node
// Stands in for `claude -p`: opens its stream, does one thing for each step, reports it, and notes when it asked.
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const config = process.argv[process.argv.indexOf('--mcp-config') + 1]
const { url, headers } = JSON.parse(readFileSync(config, 'utf8')).mcpServers.mdtest
const steps = [...process.argv.at(-1).matchAll(/^- (\d+-[\w-]+): /gm)].map(([, id]) => id)

say({ type: 'system', subtype: 'init', session_id: 's', mcp_servers: [{ name: 'mdtest', status: 'connected' }] })
for (const [index, step] of steps.entries()) {
  await call(`look-${index}`, 'Bash', { command: 'node look.mjs' }, async () => 'ok')
  await call(`report-${index}`, 'mcp__mdtest__report_step', { step, status: 'pass' }, async (input) => {
    // The reporter moves to the next step only after the answer; this one must not wait for it.
    appendFileSync(process.env.BENCH_REPORTS, `${JSON.stringify({ step, sentAtMs: Date.now() })}\n`)
    return report(input)
  })
}
say({ type: 'result', subtype: 'success', is_error: false, result: 'done' })

async function call(id, name, input, run) {
  say({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } })
  // A real CLI writes its event down before it calls the tool.
  await sleep(5)
  const content = await run(input)
  say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } })
}

async function report(input) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'report_step', arguments: input },
    }),
  })
  return await response.text()
}

function say(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}
