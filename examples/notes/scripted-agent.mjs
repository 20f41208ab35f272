#!/usr/bin/env node
// A scripted agent, with which specs that contain prose run without a model. It replaces Claude Code or Codex, but
// understands nothing. For each step it lets mdtest run commands, looks for lines in their output, and reports.
//
//   node scripted-agent.mjs MCP_FILE SPEC PROMPT
//
// mdtest passes these arguments (see vitest.config.mjs): a file with mdtest's address, the spec and the prompt.
// The script of X.test.md is X.script.json in the same folder. For the title of each step it contains:
//   run      commands, in this order
//   expect   one expected line of output for each check of the step; one line for a step without checks
//   pretend  true: lie; run nothing, and report that the lines were printed
import { readFileSync } from 'node:fs'

const [mcpFile, spec, prompt] = process.argv.slice(2)
const script = readJson(spec.replace(/\.test\.md$/, '.script.json'))
// An MCP server on 127.0.0.1, with a token that is valid only for this scenario.
const { url, headers } = readJson(mcpFile).mcpServers.mdtest

for (const step of stepsOf(prompt)) {
  const answer = await report(toReport(step, await carryOut(script[step.title])))
  // Either the agent or mdtest has found that the step failed.
  if (answer.startsWith('Stop:')) break
}

/** Finds the steps in the prompt, which lists one per line: `- 2-tick-it-off: Tick it off (1 check)`. */
function stepsOf(text) {
  const lines = text.matchAll(/^- (\S+): (.+?)(?: \((\d+) checks?\))?$/gm)
  return [...lines].map(([, id, title, checks = '0']) => ({ id, title, checks: Number(checks) }))
}

/** Runs a step's commands. Returns a result for each expected line; empty if the script has no such step. */
async function carryOut({ run = [], expect = [], pretend = false } = {}) {
  let printed = ''
  for (const command of pretend ? [] : run) printed += `${await callTool('run', { command })}\n`
  return expect.map((line) => (pretend || printed.split('\n').includes(line) ? saw(line) : missed(line, printed)))
}

/** Quotes the line as evidence. mdtest searches for the quote in the output of this step's commands. */
function saw(line) {
  return { status: 'pass', observed: `It printed: ${line}`, evidence: [{ quote: line }] }
}

function missed(line, printed) {
  return { status: 'fail', observed: `It did not print: ${line}. It printed: ${printed.slice(0, 1000)}` }
}

/** Builds the input of `report_step`. Evidence belongs to the checks, or to the step if it has no checks. */
function toReport({ id, checks }, results) {
  const decisive = results.find(({ status }) => status === 'fail') ?? results.at(-1)
  if (decisive === undefined) return { step: id, status: 'blocked', observed: 'The script says nothing of this step.' }
  if (checks === 0) return { step: id, ...decisive }
  const { status, observed } = decisive
  return { step: id, status, observed, checks: results.map((result, index) => ({ n: index + 1, ...result })) }
}

/** Reports a step. mdtest then runs the blocks after the step, and its answer says how to continue. */
async function report(result) {
  let answer = await callTool('report_step', result)
  while (answer.includes('call `next_step`')) answer = await callTool('next_step', {})
  return answer
}

/** Calls a tool of mdtest's MCP server, and returns the text of the answer. */
async function callTool(name, input) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  const body = await response.text()
  // The body is either JSON or an event stream whose last `data` line contains JSON.
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
