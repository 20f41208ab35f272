#!/usr/bin/env node
// A scripted agent. It stands in for Claude Code or Codex and understands nothing: for each step of a spec it has mdtest
// run the commands of a script, looks for lines in what they print, and reports. So specs with prose run without a model.
//
//   node scripted-agent.mjs MCP_FILE SPEC PROMPT
//
// mdtest fills these in (see vitest.config.mjs): a file that says where mdtest listens, the spec, and an agent's prompt.
// The script of X.test.md is X.script.json beside it. By the title of each step it has
//   run      commands, one after the other
//   expect   for each check of the step a line that has to be printed; one line for a step without checks
//   pretend  true: a liar, that runs nothing and says that it saw the lines
import { readFileSync } from 'node:fs'

const [mcpFile, spec, prompt] = process.argv.slice(2)
const script = readJson(spec.replace(/\.test\.md$/, '.script.json'))
// An MCP server on 127.0.0.1, with a token for this scenario alone.
const { url, headers } = readJson(mcpFile).mcpServers.mdtest

for (const step of stepsOf(prompt)) {
  const answer = await report(toReport(step, await carryOut(script[step.title])))
  // The step failed, or mdtest found that it did.
  if (answer.startsWith('Stop:')) break
}

/** The prompt lists the steps that are asked for, one in a line: `- 2-tick-it-off: Tick it off (1 check)`. */
function stepsOf(text) {
  const lines = text.matchAll(/^- (\S+): (.+?)(?: \((\d+) checks?\))?$/gm)
  return [...lines].map(([, id, title, checks = '0']) => ({ id, title, checks: Number(checks) }))
}

/** Gives for each line that is expected whether it was printed; nothing for a step that the script does not have. */
async function carryOut({ run = [], expect = [], pretend = false } = {}) {
  let printed = ''
  for (const command of pretend ? [] : run) printed += `${await callTool('run', { command })}\n`
  return expect.map((line) => (pretend || printed.split('\n').includes(line) ? saw(line) : missed(line, printed)))
}

/** The line is quoted as evidence. mdtest looks for it in what the commands of this step printed. */
function saw(line) {
  return { status: 'pass', observed: `It printed: ${line}`, evidence: [{ quote: line }] }
}

function missed(line, printed) {
  return { status: 'fail', observed: `It did not print: ${line}. It printed: ${printed.slice(0, 1000)}` }
}

/** A report as `report_step` takes it. Evidence stands with the checks; a step without checks has its own. */
function toReport({ id, checks }, results) {
  const decisive = results.find(({ status }) => status === 'fail') ?? results.at(-1)
  if (decisive === undefined) return { step: id, status: 'blocked', observed: 'The script says nothing of this step.' }
  if (checks === 0) return { step: id, ...decisive }
  const { status, observed } = decisive
  return { step: id, status, observed, checks: results.map((result, index) => ({ n: index + 1, ...result })) }
}

/** Reports a step. Meanwhile mdtest runs the blocks behind it; its answer says how to go on. */
async function report(result) {
  let answer = await callTool('report_step', result)
  while (answer.includes('call `next_step`')) answer = await callTool('next_step', {})
  return answer
}

/** Calls a tool of mdtest, as MCP has it. Gives the text of the answer. */
async function callTool(name, input) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  const body = await response.text()
  // Either JSON or an event stream with JSON in its last line of data.
  const json =
    body
      .match(/^data: (.*)$/gm)
      ?.at(-1)
      ?.slice('data: '.length) ?? body
  const { result, error } = JSON.parse(json)
  if (error !== undefined) throw new Error(error.message)
  const text = result.content.map((part) => part.text).join('\n')
  console.log(`${name} ${JSON.stringify(input)}\n${text}\n`)
  return text
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
