import { acpToolsOf } from './acp-tools.ts'
import { isOwnLoop, type Conversation, type ToolResult } from './conversation.ts'
import type { ModelCall } from './model-reply.ts'
import { quoteWord } from '../../src/system/text/shell-and-regex-quotes.ts'

/** What a scripted model wants done, whatever the CLI calls it. Where mdtest acts for it, its own tools do not, but for `isOwn`. */
export type ModelAction = ToolAction & { readonly isOwn?: true }

export type ToolAction =
  | { readonly kind: 'read'; readonly file: string }
  /** `isLeft`: it goes on in the background. `isExitAsked`: its exit code counts. */
  | { readonly kind: 'command'; readonly command: string; readonly isLeft?: true; readonly isExitAsked?: boolean }
  /** What was left in the background ends; Claude Code would wait for it. */
  | { readonly kind: 'stop'; readonly id: string }
  /** `over`: what reading the file gave, where there is one. */
  | { readonly kind: 'write'; readonly file: string; readonly content: string; readonly over?: string | undefined }
  /** A text that stands in the file once. */
  | { readonly kind: 'edit'; readonly file: string; readonly from: string; readonly to: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string; readonly input: Record<string, unknown> }

/** The tool call of who talks: mdtest's own loop, Claude Code, one that is led by ACP, Codex with classic tools, or Codex in code mode. */
export function callFor(wanted: ModelAction, conversation: Conversation): ModelCall {
  const action = hasExecutor(conversation) && !wanted.isOwn ? byExecutor(wanted) : wanted
  if (action.kind === 'mcp' && isOwnLoop(conversation)) return { name: action.tool, input: action.input }
  if (conversation.api === 'anthropic') return claudeCall(action)
  if (isOfAcp(conversation)) return acpToolsOf(conversation.tools).call(action)
  return conversation.tools.includes('exec') ? codeModeCall(action) : classicCall(action)
}

/** Whether who talks is led by ACP. */
function isOfAcp({ api }: Pick<Conversation, 'api'>): boolean {
  return api === 'chat' || api === 'google'
}

/** Whether mdtest executes what who talks wants done. */
function hasExecutor({ prompt }: Pick<Conversation, 'prompt'>): boolean {
  return prompt.includes('through the tools of the MCP server `mdtest` alone')
}

function byExecutor(action: ToolAction): ToolAction {
  const own = (tool: string, input: Record<string, unknown>): ToolAction => ({
    kind: 'mcp',
    server: 'mdtest',
    tool,
    input,
  })
  switch (action.kind) {
    case 'read':
      return own('run', { command: `cat ${quoteWord(action.file)}` })
    case 'command':
      return own('run', { command: action.isLeft ? `${action.command} &` : action.command })
    case 'stop':
      return own('run', { command: 'ls' })
    case 'write':
      return own('write', { path: action.file, content: action.content })
    case 'edit':
      // mdtest's executor have no tool that edits.
      return action
    case 'mcp':
      if (action.server === 'mdtest') return action
      return own(action.server === 'playwright' ? action.tool : `${action.server}__${action.tool}`, action.input)
    default:
      return action satisfies never
  }
}

/** What came of a command, without the CLI's frame (wall time, chunk id) around it. */
export type CommandResult =
  | { readonly kind: 'ran'; readonly exitCode: number; readonly output: string }
  /** It was not let run, or the tool itself failed. */
  | { readonly kind: 'refused'; readonly text: string }

export function readCommandResult({ text, isError }: ToolResult, { api, tools }: Conversation): CommandResult {
  const [, exitCode, output = ''] =
    /^(?:Not to be quoted: [^\n]*\n)?After [\d.]+ s:\nExit code (\d+)\n(?:No output|Output:\n([\s\S]*))$/.exec(
      withoutFrame(text),
    ) ?? []
  if (exitCode !== undefined) return { kind: 'ran', exitCode: Number(exitCode), output }
  if (isOfAcp({ api })) return readAcpResult(text, tools)
  const framed =
    api === 'anthropic'
      ? /^Exit code (\d+)\n?([\s\S]*)$/.exec(isError ? text : `Exit code 0\n${text}`)
      : /Process exited with code (\d+)\n[\s\S]*?Output:\n([\s\S]*)$/.exec(text)
  if (framed === null) return { kind: 'refused', text }
  return { kind: 'ran', exitCode: Number(framed[1]), output: framed[2] ?? '' }
}

function readAcpResult(text: string, tools: readonly string[]): CommandResult {
  const { refused, ended } = acpToolsOf(tools)
  if (refused.test(text)) return { kind: 'refused', text }
  const told = ended.exec(text)?.groups
  if (told === undefined) return { kind: 'ran', exitCode: 0, output: text }
  return { kind: 'ran', exitCode: Number(told.exitCode ?? 0), output: told.output ?? '' }
}

/** What a tool of a server gave, without what Codex and Gemini CLI put around it. */
function withoutFrame(text: string): string {
  return text
    .replace(/^(?:Script completed\n)?Wall time:? [^\n]*\nOutput:\n+/, '')
    .replace(/^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/, '$1')
}

/** Content of a file as the tool returned it. */
export function readFileResult(result: ToolResult, conversation: Conversation): string {
  const isByExecutor = hasExecutor(conversation)
  if (conversation.api === 'anthropic' && !isByExecutor) return result.text.replace(/^ *\d+[\t→]/gm, '')
  if (!isByExecutor && isOfAcp(conversation)) return acpToolsOf(conversation.tools).fileIn(result.text)
  const read = readCommandResult(result, conversation)
  return read.kind === 'ran' ? read.output : ''
}

function claudeCall(action: ModelAction): ModelCall {
  switch (action.kind) {
    case 'read':
      return { name: 'Read', input: { file_path: action.file } }
    case 'command':
      return {
        name: 'Bash',
        input: {
          command: action.command,
          description: 'Carry out a step',
          ...(action.isLeft && { run_in_background: true }),
        },
      }
    case 'stop':
      return { name: 'TaskStop', input: { task_id: action.id } }
    case 'write':
      return { name: 'Write', input: { file_path: action.file, content: action.content } }
    case 'edit':
      return { name: 'Edit', input: { file_path: action.file, old_string: action.from, new_string: action.to } }
    case 'mcp':
      return { name: `mcp__${action.server}__${action.tool}`, input: action.input }
  }
}

function classicCall(action: ModelAction): ModelCall {
  switch (action.kind) {
    case 'read':
      return { name: 'exec_command', input: { cmd: readCommand(action.file) } }
    case 'command':
      return { name: 'exec_command', input: { cmd: action.command, ...(action.isLeft && { yield_time_ms: 500 }) } }
    case 'stop':
      return { name: 'exec_command', input: { cmd: 'true' } }
    case 'write':
    case 'edit':
      return { name: 'apply_patch', input: patchOf(action) }
    case 'mcp':
      return { name: action.tool, namespace: `mcp__${action.server}`, input: action.input }
  }
}

/** In code mode there is one tool, JavaScript, with the others inside it. */
function codeModeCall(action: ModelAction): ModelCall {
  return { name: 'exec', input: codeModeScript(action) }
}

function codeModeScript(action: ModelAction): string {
  switch (action.kind) {
    case 'read':
      return codeModeCommand(readCommand(action.file))
    case 'command':
      return codeModeCommand(action.command)
    case 'stop':
      return codeModeCommand('true')
    case 'write':
    case 'edit':
      return `text(await tools.apply_patch(${JSON.stringify(patchOf(action))}));`
    case 'mcp':
      return codeModeMcp(`tools.mcp__${action.server}__${action.tool}(${JSON.stringify(action.input)})`)
  }
}

/** What it gives is an object with the parts of the answer. */
function codeModeMcp(call: string): string {
  return `const r = await ${call}; text(r.content ? r.content.map((part) => part.text).join("\\n") : r);`
}

function codeModeCommand(command: string): string {
  return `const r = await tools.exec_command(${JSON.stringify({ cmd: command })}); text("Process exited with code " + r.exit_code + "\\nOutput:\\n" + r.output);`
}

function readCommand(file: string): string {
  return `cat '${file.replaceAll("'", `'\\''`)}'`
}

function patchOf(action: Extract<ToolAction, { readonly kind: 'edit' | 'write' }>): string {
  // The patch ends each of its lines itself.
  const lines = (sign: string, text: string): readonly string[] =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${sign}${line}`)
  const changes =
    action.kind === 'write'
      ? [`*** Add File: ${action.file}`, ...lines('+', action.content)]
      : [`*** Update File: ${action.file}`, '@@', ...lines('-', action.from), ...lines('+', action.to)]
  return ['*** Begin Patch', ...changes, '*** End Patch'].join('\n')
}
