// Stands in for `claude -p`: for each step it makes a tool call, reports the step and records when it sent the report.
// In JavaScript, because Node.js loads it without jiti, from a project in a temporary folder.
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { callReportTool, reportAccess } from '../../test/support/report-client.mjs'

const access = reportAccess()
const steps = [...process.argv.at(-1).matchAll(/^- (\d+-[\w-]+): /gm)].map(([, id]) => id)

say({ type: 'system', subtype: 'init', session_id: 's', mcp_servers: [{ name: 'mdtest', status: 'connected' }] })
for (const [index, step] of steps.entries()) {
  await call(`look-${index}`, 'Bash', { command: 'node look.mjs' }, async () => 'ok')
  await call(`report-${index}`, 'mcp__mdtest__report_step', { step, status: 'pass' }, async (input) => {
    // Record the time before the call, because the call returns only after the report was processed.
    appendFileSync(process.env.BENCH_REPORTS, `${JSON.stringify({ step, sentAtMs: Date.now() })}\n`)
    return callReportTool(access, 'report_step', input)
  })
}
say({ type: 'result', subtype: 'success', is_error: false, result: 'done' })

async function call(id, name, input, run) {
  say({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } })
  // A real CLI writes its event before it calls the tool.
  await sleep(5)
  const content = await run(input)
  say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } })
}

function say(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}
