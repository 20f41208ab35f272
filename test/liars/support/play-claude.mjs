// The process of a scripted model that stands for Claude Code: its tools act for real, its events are those that it prints.
// Each scene is run by the real CLIs, too (`liars.slow.test.ts`).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const isAllowed = process.argv.includes('--allowedTools=Bash')
const tools = ['Bash', 'Edit', 'Read', 'Write', 'mcp__mdtest__next_step', 'mcp__mdtest__report_step']
const denied = 'This command requires approval'

/** What each tool gives, or throws: the text of an error. */
const acts = {
  async Bash({ command }) {
    if (!isAllowed) throw new Error(denied)
    const file = join(tmpdir(), `output-${process.pid}`)
    const output = openSync(file, 'w')
    // What it leaves in the background may go on writing.
    const shell = spawn('bash', ['-c', command], { stdio: ['ignore', output, output] })
    const [code] = await once(shell, 'exit')
    closeSync(output)
    const text = readFileSync(file, 'utf8').trimEnd()
    rmSync(file)
    if (code !== 0) throw new Error(`Exit code ${code}\n${text}`)
    return text.slice(0, 30_000)
  },
  Read: ({ file_path: file }) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line, index) => `${index + 1}\t${line}`)
      .join('\n'),
  Write({ file_path: file, content }) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return `File created successfully at: ${file}`
  },
  Edit({ file_path: file, old_string: from, new_string: to }) {
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(from, () => to),
    )
    return `The file ${file} has been updated.`
  },
}

/** Does what the model wants until it wants nothing more. `callOwn` calls a tool of mdtest's server. */
export async function playClaude({ prompt, print, open, callOwn }) {
  open()
  const messages = [{ role: 'user', content: prompt }]
  const denials = []
  for (let turns = 1; ; turns += 1) {
    const { content, usage } = await ask(messages)
    print({ type: 'assistant', message: { id: `msg_${turns}`, content, usage } })
    const uses = content.filter(({ type }) => type === 'tool_use')
    if (uses.length === 0) {
      const result = content.map(({ text }) => text).join('')
      return print({ type: 'result', subtype: 'success', is_error: false, result, permission_denials: denials })
    }
    const results = []
    for (const { id, name, input } of uses) {
      const [told, isError] = await carryOut(name, input, callOwn)
      if (told === denied) {
        denials.push({ tool_name: name, tool_use_id: id, tool_input: input })
        print({ type: 'system', subtype: 'permission_denied', tool_name: name, tool_use_id: id, message: told })
      }
      results.push({ type: 'tool_result', tool_use_id: id, content: told, ...(isError && { is_error: true }) })
    }
    print({ type: 'user', message: { role: 'user', content: results } })
    messages.push({ role: 'assistant', content }, { role: 'user', content: results })
  }
}

async function ask(messages) {
  const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'claude-opus-5-5', tools: tools.map((name) => ({ name })), messages }),
  })
  return response.json()
}

async function carryOut(name, input, callOwn) {
  try {
    const [, own] = /^mcp__mdtest__(.+)$/.exec(name) ?? []
    if (own === undefined) return [await acts[name](input), false]
    const { content, isError = false } = await callOwn(own, input)
    return [content.map(({ text }) => text).join('\n'), isError]
  } catch (error) {
    return [error.message, true]
  }
}
