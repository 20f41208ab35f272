import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { askAgent, type Answer } from '../../src/agents/ask-agent.ts'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { createCommandAgent } from '../../src/agents/command/command-agent.ts'
import { createRedactor } from '../../src/system/redaction/open-redactor.ts'
import { useLauncher } from '../support/use-launcher.ts'
import { groundAt } from '../../src/system/files/trusted-folder.ts'

const launcher = useLauncher()
const folder = mkdtempSync(join(tmpdir(), 'mdtest-ask-'))
// Programs in it are CommonJS, whatever lies above it.
writeFileSync(join(folder, 'package.json'), '{}')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const schema = { type: 'object', properties: { a: { type: 'number' } } }

const question = {
  prompt: 'How many?',
  cwd: folder,
  env: { PATH: process.env.PATH ?? '' },
  allow: [],
  network: false,
  dangerouslyAllowAllActions: false,
  schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema },
  folder,
  ground: groundAt(folder),
  privateFolder: folder,
  redactor: createRedactor([]),
  hardTimeoutMs: 60_000,
  launcher,
  mark: 'mdtest-ask',
}

/** Asks a program that is some lines of Node. */
function ask(source: string, more: { hardTimeoutMs?: number; signal?: AbortSignal } = {}): Promise<Answer> {
  return askAgent({ ...question, agent: createCommandAgent([process.execPath, '-e', source, '{prompt}']), ...more })
}

test('an agent gets the question and the schema, and its last object is the answer', async () => {
  const answer = await ask(`
    console.log('Thinking {of braces}.', process.argv.at(-1).includes('How many?'), process.argv.at(-1).includes('{"a":'))
    console.log('{"a": 1}\\nNo, wait:\\n\`\`\`json\\n{\\n  "a": 2,\\n  "said": "{}"\\n}\\n\`\`\`')`)
  expect(answer).toEqual({ ok: true, value: { a: 2, said: '{}' }, isCostTold: false, contextUtilization: null })
  expect(readFileSync(join(folder, 'raw.log'), 'utf8')).toContain('Thinking {of braces}. true true')
  expect(JSON.parse(readFileSync(join(folder, 'answer.schema.json'), 'utf8'))).toEqual(schema)
})

test.for([
  ['console.log("Nothing to say.")', { cause: 'no-answer' }],
  ['console.log("{not json}")', { cause: 'no-answer' }],
  [
    'console.log(\'{"a":1}\'); console.error("broken"); process.exitCode = 3',
    { cause: 'broke-off', reason: /exit code 3\.$/ },
  ],
  ['process.kill(process.pid, "SIGKILL")', { cause: 'broke-off', reason: /SIGKILL/ }],
] as const)('%s is no answer', async ([source, expected]) => {
  const answer = await ask(source)
  expect(answer).toMatchObject({ ok: false, cause: expected.cause })
  if ('reason' in expected) expect(answer).toMatchObject({ reason: expect.stringMatching(expected.reason) })
})

test.for([
  ['', 'unanswered'],
  ['{"type":"assistant","message":{"id":"1","content":[],"usage":{"output_tokens":3}}}', 'broke-off'],
])('an error behind %j: whether the model answered at all', async ([before, cause]) => {
  const program = join(folder, 'claude-in-error')
  const error = '{"type":"result","is_error":true,"result":"API Error: 500"}'
  writeFileSync(program, `#!/bin/sh\necho '${before}'\necho '${error}'\n`, { mode: 0o755 })
  const answer = await askAgent({
    ...question,
    agent: { ...claudeAgent, buildCommand: () => ({ argv: [program], cwd: folder, env: question.env }) },
  })
  expect(answer).toMatchObject({ ok: false, cause, reason: 'API Error: 500' })
})

test('an agent that hangs is ended, also by a signal, and a program that is not there is no crash', async () => {
  const forever = 'setInterval(() => {}, 1000)'
  expect(await ask(forever, { hardTimeoutMs: 200 })).toMatchObject({ ok: false, cause: 'timeout' })
  expect(await ask(forever, { signal: AbortSignal.timeout(200) })).toMatchObject({ ok: false, cause: 'canceled' })
})

test('Claude Code gets the servers in a file that nobody else can read, and nothing of them in its command line', async () => {
  const program = join(folder, 'claude')
  // A package of its own: one in a folder above would say how its code is to be read.
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(
    program,
    `#!${process.execPath}
const { readFileSync, statSync } = require('node:fs')
const file = process.argv[process.argv.indexOf('--mcp-config') + 1]
const answer = { servers: JSON.parse(readFileSync(file, 'utf8')).mcpServers, mode: statSync(file).mode & 0o777, args: process.argv.slice(2, -1) }
console.log(JSON.stringify({ type: 'result', is_error: false, structured_output: answer }))
`,
    { mode: 0o755 },
  )
  const tests = { command: 'npx', args: ['vitest-mdtest', 'mcp'], env: { SHOP_TOKEN: 'tok-1234567890' } }
  const answer = await askAgent({
    ...question,
    agent: claudeAgent,
    env: { PATH: `${folder}:${process.env.PATH}` },
    mcpServers: { tests },
  })
  const value = answer.ok
    ? z.object({ servers: z.unknown(), mode: z.int(), args: z.array(z.string()) }).parse(answer.value)
    : answer
  expect(value).toMatchObject({ servers: { tests }, mode: 0o600 })
  expect('args' in value && value.args).toEqual(
    expect.arrayContaining(['--strict-mcp-config', '--allowedTools=mcp__tests']),
  )
  expect(JSON.stringify('args' in value && value.args)).not.toMatch(/tok-|report_step/)
})

test('an agent with settings that mdtest writes gets them in a private folder', async () => {
  const agent = createCommandAgent([process.execPath, '-e', 'console.log(process.env.SETTINGS)'])
  const answer = await askAgent({
    ...question,
    agent: {
      ...agent,
      writeSettings: (home) => writeFileSync(join(home, 'settings.json'), '{"allowed":[]}'),
      buildCommand(request) {
        const { settingsHome = '' } = request
        const command = agent.buildCommand(request)
        return {
          ...command,
          env: { ...command.env, SETTINGS: readFileSync(join(settingsHome, 'settings.json'), 'utf8') },
        }
      },
    },
  })
  expect(answer).toMatchObject({ ok: true, value: { allowed: [] } })
})
