import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mergeDenials } from '../../src/agents/agent-events.ts'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import type { ModelScript } from '../support/model-server.ts'
import { processesWith } from '../support/processes.ts'
import { runsFirst, writesLog } from '../support/scripts/wayward.ts'
import { callFor, type ModelAction } from '../support/tool-dialect.ts'
import { findRealClis } from './find-real-clis.ts'
import { claude, codex, createRealProject } from './real-project.ts'
import { runRealAgent, type RealRun } from './run-real-agent.ts'

const clis = findRealClis(['claude', 'codex'])
const reason = clis.ok ? '' : ` (skipped: ${clis.reason})`
const cliFolder = clis.ok ? clis.folder : ''

/** Does one after the other, whatever comes of it. */
function act(...actions: readonly ModelAction[]): ModelScript {
  return (conversation) => {
    const action = actions[conversation.results.length]
    if (action === undefined) return { kind: 'answer', text: 'Done.' }
    return { kind: 'answer', calls: [callFor(action, conversation)] }
  }
}

const command = (line: string): ModelAction => ({ kind: 'command', command: line })
const outputs = ({ events }: RealRun): readonly string[] =>
  events.flatMap((event) => (event.type === 'tool-result' && !event.isError ? [event.output.trim()] : []))
const denials = ({ events }: RealRun): ReturnType<typeof mergeDenials> =>
  mergeDenials(events.filter((event) => event.type === 'denial'))

describe.skipIf(!clis.ok).concurrent(`permissions of claude${reason}`, () => {
  test('names the rules for what no rule allows, and these permit it', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-outside-')))
    const file = join(folder, 'note.txt')
    const lines = [
      `node -p '"a" + 1'`,
      `CI=1 node -p '"b" + process.env.CI'`,
      `cd . && node -p '"c" + 3'`,
      `node -p '"d" + 4' | head -n 1`,
    ]
    const script = act(...lines.map(command), { kind: 'write', file, content: 'x' })
    try {
      const refused = await runRealAgent(claudeAgent, { cliFolder, prompt: 'Go.', script })
      expect(outputs(refused)).toEqual([])
      const rules = denials(refused).map(({ rule }) => rule ?? '')
      expect(rules).toEqual([
        ...['Bash(node *)', 'Bash(CI=1 node *)', 'Bash(node *)', 'Bash(node *)'],
        `Edit(/${file})`,
      ])
      expect(denials(refused).map(({ what }) => what)).toMatchObject({ 0: lines[0], 4: `Write ${file}` })
      expect(refused.exitCode).toBe(0)
      expect(existsSync(file)).toBe(false)

      const run = await runRealAgent(claudeAgent, { cliFolder, prompt: 'Go.', script, request: { allow: rules } })
      expect(outputs(run).slice(0, 4)).toEqual(['a1', 'b1', 'c3', 'd4'])
      expect(denials(run)).toEqual([])
      expect(existsSync(file)).toBe(true)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('takes a rule with commas, quotes and parentheses as one', async () => {
    const line = 'node -p "[1, 2].map(String).join()"'
    const script = act(command(line), command('node -p 9'))
    const allow = [`Bash(${line})`]
    const run = await runRealAgent(claudeAgent, { cliFolder, prompt: 'Go.', script, request: { allow } })
    expect(outputs(run)).toEqual(['1,2'])
    expect(denials(run).map(({ what }) => what)).toEqual(['node -p 9'])
  })
})

test.skipIf(!clis.ok)(
  `the sandbox of codex stops what is outside of the directory, and lets it use the network only where that is allowed${reason}`,
  async () => {
    const listener = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const dial = command(
      `node -e "require('net').connect(${port}, '127.0.0.1').on('connect', () => { console.log('reached'); process.exit() }).on('error', () => { console.log('refused'); process.exit() })"`,
    )
    const first = 'echo x > in.txt; cat in.txt'
    try {
      const script = act(command(first), dial, command('echo x > ../out.txt'))
      const closed = await runRealAgent(codexAgent, { cliFolder, prompt: 'Go.', script })
      expect(closed.conversations.at(-1)?.results.at(-1)?.text).toContain('Read-only file system')
      expect(outputs(closed).slice(0, 2)).toEqual(['x', 'refused'])
      // Whether the stopped command itself is in the stream is a matter of its timing.
      expect(closed.events).toContainEqual(expect.objectContaining({ type: 'tool-call', title: first }))
      expect(denials(closed)).toEqual([])
      const request = { network: true }
      const open = await runRealAgent(codexAgent, { cliFolder, prompt: 'Go.', script: act(dial), request })
      expect(outputs(open)).toEqual(['reached'])
    } finally {
      listener.close()
    }
  },
)

describe.skipIf(!clis.ok).concurrent.each([
  { product: claude, flag: '--dangerously-skip-permissions' },
  { product: codex, flag: '--dangerously-bypass-approvals-and-sandbox' },
])(`$product.title with --dangerously-allow-all-actions${reason}`, ({ product, flag }) => {
  test('may write outside of its directory', async () => {
    const commandLines: string[] = []
    const passes = writesLog(({ runId }) => `status: pass\nrun: "${runId}"`)
    await using real = await createRealProject({
      product,
      files: { 'sub/notes.test.md': '# Notes\n\nWrite a note.\n' },
      script: (conversation) => {
        commandLines.push(...processesWith(real.project.dir).filter((line) => line.includes('Run id: ')))
        return runsFirst('echo x > ../outside.txt', passes)(conversation)
      },
    })
    // Claude refuses this as root, unless it is told that it is on a throw-away machine.
    const args = ['run', '-d', 'sub', '--agent', product.agent, '--dangerously-allow-all-actions']
    await real.mdtest(args, { IS_SANDBOX: '1' })
    expect(commandLines[0]).toContain(` ${flag} `)
    expect(existsSync(join(real.project.dir, 'outside.txt'))).toBe(true)
    expect(await real.leftovers()).toEqual([])
  })
})
