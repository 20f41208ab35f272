#!/usr/bin/env node
// The process of a program: finds out from its prompt which one it is, and runs it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { callReportTool, reportAccess } from '../../support/report-client.mjs'
import { playing } from './play-acts.mjs'
import { playClaude } from './play-claude.mjs'

const prompt = process.argv.at(-1) ?? ''
const field = (name) => new RegExp(`^${name}: (.+)$`, 'm').exec(prompt)?.[1] ?? ''
const spec = field('Specification')
const log = field('Result log')
const [, scratchDir] = /Files of your own go to (.+)\.$/m.exec(prompt) ?? []
const runId = field('Run id')
const steps = [...prompt.matchAll(/^- (\d+-\S+): .+?(?: \((\d+) checks?\))?$/gm)].map(([, id, checks = '0']) => ({
  id,
  checks: Array.from({ length: Number(checks) }, (_, index) => ({ n: index + 1, status: 'pass' })),
}))
const name = /([^/]+)\.test\.md$/.exec(spec)?.[1]
const isCodex = process.env.MDTEST_REPORT_TOKEN !== undefined
const session = '00000000-0000-4000-8000-000000000000'
let calls = 0

/** Where reports go, as each agent is told. */
function access() {
  const file = process.env.MDTEST_MCP_CONFIG
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8')).mcpServers.mdtest
  return reportAccess() ?? codexAccess()
}

function codexAccess() {
  const url = process.argv.find((each) => each.startsWith('mcp_servers.mdtest.url='))?.split('=')[1]
  return { url: JSON.parse(url), headers: { authorization: `Bearer ${process.env.MDTEST_REPORT_TOKEN}` } }
}

const agent = {
  spec,
  log,
  runId,
  steps,
  scratchDir,
  evidenceDir: log.replace(/\.log\.md$/, ''),
  /** Entries of the log's list in which all passed. */
  passed: steps.map((step) => ({ ...step, status: 'pass' })),
  /** JSON is YAML. */
  writeLog: (frontMatter, body = '') => writeFileSync(log, `---\n${JSON.stringify(frontMatter)}\n---\n${body}`),
  print: (event) => console.log(JSON.stringify(event)),
  /** The opening event of the CLI whose name the program has. */
  open() {
    if (isCodex) agent.print({ type: 'thread.started', thread_id: session })
    else
      agent.print({
        type: 'system',
        subtype: 'init',
        session_id: session,
        model: 'claude-opus-5-5',
        cwd: process.cwd(),
      })
  },
  /** The events of a tool call with this output. */
  async call(tool, input, perform) {
    const id = `toolu_${(calls += 1)}`
    agent.print({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name: tool, input }] } })
    const content = await perform()
    agent.print({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } })
    return content
  },
  /** Calls the report server for real, and shows nothing of it. */
  async report(step, status = 'pass', more = {}) {
    const { checks } = steps.find(({ id }) => id === step) ?? { checks: [] }
    const input = { step, status, checks: status === 'pass' ? checks : [], ...more }
    return callReportTool(access(), 'report_step', input)
  },
  /** Has mdtest do something, where it acts for the program. Gives the answer as it came. */
  act: (tool, input) => callReportTool(access(), tool, input),
  /** The same with its answer read. */
  async callOwn(tool, input) {
    const answer = await agent.act(tool, input)
    return JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? answer).result
  },
  /** The same as `report`, with the events that Claude Code prints of it. */
  reportOpenly: (step, status, more) =>
    agent.call('mcp__mdtest__report_step', { step }, () => agent.report(step, status, more)),
}

const file = ['dishonest', 'unseen', 'honest', 'by-mdtest']
  .map((kind) => new URL(`../${kind}/${name}.mjs`, import.meta.url))
  .find((url) => existsSync(url))
const lieFile = join(dirname(spec), 'lie.json')
if (file !== undefined) {
  const { default: program } = await import(file.href)
  await program.act(agent)
} else if (existsSync(lieFile)) {
  // One of `lie-scenes.ts`.
  const { lie, way, acts, cites } = JSON.parse(readFileSync(lieFile, 'utf8'))
  const own = acts === undefined ? (await import(`../executor/${lie}.mjs`)).default : { act: playing(acts, cites) }
  await own.act(agent, way)
} else await playClaude({ ...agent, prompt })
