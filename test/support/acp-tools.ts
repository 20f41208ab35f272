import type { ModelCall } from './model-reply.ts'
import type { ToolAction } from './tool-dialect.ts'

/** How one of the agents that are led by ACP names its tools, and what it puts around their results. */
interface AcpTools {
  /** A tool that no other has. */
  readonly mark: string
  call(action: ToolAction): ModelCall
  /** What is in a file, of what its tool for reading gave. */
  fileIn(text: string): string
  /** What came of a command. */
  readonly refused: RegExp
  /** Its groups are `output` and `exitCode`; without a match the command ended well. */
  readonly ended: RegExp
}

const opencode: AcpTools = {
  mark: 'todowrite',
  call: (action) => {
    switch (action.kind) {
      case 'read':
        return { name: 'read', input: { filePath: action.file } }
      case 'command': {
        // Its model is not told how a command ended.
        const left = action.isLeft ? `${action.command} &` : action.command
        const command = action.isExitAsked ? `${left} 2>&1; echo "exit code: $?"` : left
        return { name: 'bash', input: { command, description: 'Carry out a step' } }
      }
      case 'stop':
        return { name: 'bash', input: { command: 'true', description: 'Stop' } }
      case 'write':
        return { name: 'write', input: { filePath: action.file, content: action.content } }
      case 'edit':
        return { name: 'edit', input: { filePath: action.file, oldString: action.from, newString: action.to } }
      case 'mcp':
        return { name: `${action.server}_${action.tool}`, input: action.input }
    }
  },
  // It puts names of the file and numbers of its lines around what is in it.
  fileIn: (text) => [...text.matchAll(/^\d+: ?(.*)$/gm)].map(([, line]) => line).join('\n'),
  refused: /^The user rejected permission|^The user has specified a rule/,
  ended: /^(?:\(no output\)|(?<output>[\s\S]*?))(?:exit code: (?<exitCode>\d+)\s*)?$/,
}

const copilot: AcpTools = {
  mark: 'read_bash',
  call: (action) => {
    switch (action.kind) {
      case 'read':
        return { name: 'view', input: { path: action.file } }
      case 'command':
        return { name: 'bash', input: { command: action.command, description: 'Carry out a step' } }
      case 'stop':
        return { name: 'bash', input: { command: 'true', description: 'Stop' } }
      case 'write':
        // It makes new files alone.
        return action.over === undefined
          ? { name: 'create', input: { path: action.file, file_text: action.content } }
          : copilot.call({ kind: 'edit', file: action.file, from: action.over, to: action.content })
      case 'edit':
        return { name: 'edit', input: { path: action.file, old_str: action.from, new_str: action.to } }
      case 'mcp':
        return { name: `${action.server}-${action.tool}`, input: action.input }
    }
  },
  fileIn: (text) => text,
  refused: /^The user rejected this tool call|^Permission denied/,
  ended: /^(?<output>[\s\S]*?)\n?<shellId: \d+ completed with exit code (?<exitCode>\d+)>$/,
}

const gemini: AcpTools = {
  mark: 'google_web_search',
  call: (action) => {
    switch (action.kind) {
      case 'read':
        return { name: 'read_file', input: { file_path: action.file } }
      case 'command': {
        const left = action.isLeft ? { is_background: true } : {}
        return { name: 'run_shell_command', input: { command: action.command, ...left } }
      }
      case 'stop':
        return { name: 'run_shell_command', input: { command: 'true' } }
      case 'write':
        return { name: 'write_file', input: { file_path: action.file, content: action.content } }
      case 'edit':
        return { name: 'replace', input: { file_path: action.file, old_string: action.from, new_string: action.to } }
      case 'mcp':
        return { name: `mcp_${action.server}_${action.tool}`, input: action.input }
    }
  },
  fileIn: (text) => text,
  refused: /^(?!<untrusted_context>|Output: )/,
  ended:
    /^(?:<untrusted_context>\n)?Output: (?:\(empty\)|(?<output>[\s\S]*?))(?:\nExit Code: (?<exitCode>\d+))?(?:\nProcess Group PGID: \d+)?(?:\n<\/untrusted_context>)?$/,
}

const qwen: AcpTools = {
  mark: 'run_shell_command',
  call: (action) => {
    switch (action.kind) {
      case 'read':
        return { name: 'read_file', input: { file_path: action.file } }
      case 'command':
        return { name: 'run_shell_command', input: { command: action.command, description: 'Carry out a step' } }
      case 'stop':
        return { name: 'run_shell_command', input: { command: 'true', description: 'Stop' } }
      case 'write':
        return { name: 'write_file', input: { file_path: action.file, content: action.content } }
      case 'edit':
        return { name: 'edit', input: { file_path: action.file, old_string: action.from, new_string: action.to } }
      case 'mcp':
        // Tools of servers are not listed.
        return {
          name: 'tool_call',
          input: { name: `mcp__${action.server}__${action.tool}`, arguments: action.input },
        }
    }
  },
  fileIn: (text) => text,
  refused: /^Tool "run_shell_command" was canceled/,
  ended: /^Command: [\s\S]*?\nOutput: (?:\(empty\)|(?<output>[\s\S]*?))\nError: .*\nExit Code: (?<exitCode>\d+)/,
}

const all: readonly AcpTools[] = [opencode, gemini, copilot, qwen]

/** Those of the agent that offers these tools. */
export function acpToolsOf(tools: readonly string[]): AcpTools {
  return all.find(({ mark }) => tools.includes(mark)) ?? opencode
}
