import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { mergeDenials } from '../../src/agents/agent-events.ts'
import { callFor, type ModelAction } from '../support/tool-dialect.ts'
import type { ModelScript } from '../support/model-server.ts'
import { findRealClis } from './find-real-clis.ts'
import { runRealAgent, type RealRun } from './run-real-agent.ts'
const clis = findRealClis()
const reason = clis.ok ? '' : ` (skipped: ${clis.reason})`
const cliFolder = clis.ok ? clis.folder : ''

/** Runs the commands one after the other, whatever comes of them. */
function runCommands(...commands: readonly string[]): ModelScript {
  return (conversation) => {
    const command = commands[conversation.results.length]
    const action: ModelAction | undefined = command === undefined ? undefined : { kind: 'command', command }
    if (action === undefined) return { kind: 'answer', text: 'Done.' }
    return { kind: 'answer', calls: [callFor(action, conversation)] }
  }
}

const outputs = ({ events }: RealRun): readonly string[] =>
  events.flatMap((event) => (event.type === 'tool-result' && !event.isError ? [event.output.trim()] : []))
const denials = ({ events }: RealRun): ReturnType<typeof mergeDenials> =>
  mergeDenials(events.filter((event) => event.type === 'denial'))

describe.skipIf(!clis.ok)(`permissions of claude${reason}`, () => {
  const commands = [
    `node -p '"a" + 1'`,
    `CI=1 node -p '"b" + process.env.CI'`,
    `cd . && node -p '"c" + 3'`,
    `node -p '"d" + 4' | head -n 1`,
  ]

  test('refuses a command that no rule allows, and the denials name the rules that would', async () => {
    const run = await runRealAgent(claudeAgent, { cliFolder, prompt: 'Go.', script: runCommands(...commands) })
    expect(outputs(run)).toEqual([])
    expect(denials(run).map(({ rule }) => rule)).toEqual([
      'Bash(node *)',
      'Bash(CI=1 node *)',
      'Bash(node *)',
      'Bash(node *)',
    ])
    expect(denials(run)[0]?.what).toBe(commands[0])
    expect(run.exitCode).toBe(0)
  })

  test('runs them all with the rules of the denials', async () => {
    const run = await runRealAgent(claudeAgent, {
      cliFolder,
      prompt: 'Go.',
      script: runCommands(...commands),
      request: { allow: ['Bash(node *)', 'Bash(CI=1 node *)'] },
    })
    expect(outputs(run)).toEqual(['a1', 'b1', 'c3', 'd4'])
    expect(denials(run)).toEqual([])
  })

  test('takes a rule with commas, quotes and parentheses as one', async () => {
    const command = 'node -p "[1, 2].map(String).join()"'
    const run = await runRealAgent(claudeAgent, {
      cliFolder,
      prompt: 'Go.',
      script: runCommands(command, 'node -p 9'),
      request: { allow: [`Bash(${command})`] },
    })
    expect(outputs(run)).toEqual(['1,2'])
    expect(denials(run).map(({ what }) => what)).toEqual(['node -p 9'])
  })

  test('names the rule for a file outside the directory, and the rule permits it', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-outside-')))
    const file = join(folder, 'note.txt')
    const script: ModelScript = (conversation) =>
      conversation.results.length > 0
        ? { kind: 'answer', text: 'Done.' }
        : { kind: 'answer', calls: [callFor({ kind: 'write', file, content: 'x' }, conversation)] }
    try {
      const refused = await runRealAgent(claudeAgent, { cliFolder, prompt: 'Go.', script })
      const rule = `Edit(/${file})`
      expect(denials(refused)).toMatchObject([{ what: `Write ${file}`, rule }])
      expect(existsSync(file)).toBe(false)
      await runRealAgent(claudeAgent, { cliFolder, prompt: 'Go.', script, request: { allow: [rule] } })
      expect(existsSync(file)).toBe(true)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe.skipIf(!clis.ok)(`sandbox of codex${reason}`, () => {
  test('stops a command that writes outside the directory, and the stream tells of no denial', async () => {
    const script = runCommands('echo x > in.txt; cat in.txt', 'echo x > ../out.txt')
    const run = await runRealAgent(codexAgent, { cliFolder, prompt: 'Go.', script })
    expect(run.conversations.at(-1)?.results.at(-1)?.text).toContain('Read-only file system')
    expect(outputs(run)).toContain('x')
    // Whether the stopped command itself is in the stream is a matter of its timing.
    expect(run.events).toContainEqual(
      expect.objectContaining({ type: 'tool-call', title: 'echo x > in.txt; cat in.txt' }),
    )
    expect(denials(run)).toEqual([])
  })

  test('lets commands use the network only where that is allowed', async () => {
    const script: ModelScript = (conversation) => {
      const dial = `node -e "require('net').connect(${portOf(conversation.prompt)}, '127.0.0.1').on('connect', () => { console.log('reached'); process.exit() }).on('error', () => { console.log('refused'); process.exit() })"`
      return runCommands(dial)(conversation)
    }
    const listener = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    const prompt = `Dial port ${typeof address === 'object' && address !== null ? address.port : 0}.`
    try {
      const closed = await runRealAgent(codexAgent, { cliFolder, prompt, script })
      const open = await runRealAgent(codexAgent, { cliFolder, prompt, script, request: { network: true } })
      expect([outputs(closed), outputs(open)]).toEqual([['refused'], ['reached']])
    } finally {
      listener.close()
    }
  })
})

function portOf(prompt: string): string {
  return /port (\d+)/.exec(prompt)?.[1] ?? '1'
}
