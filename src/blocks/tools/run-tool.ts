import type { ScenarioTools } from './scenario-tools.ts'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'

interface ToolRun {
  readonly tools: ScenarioTools | undefined
  readonly server: string
  /** What was captured so far, by name. */
  readonly captures: ReadonlyMap<string, string>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly cwd: string
}

/**
 * Carries out a line of an `mcp` block, `tool {"a": 1}`, as a shell carries out a command: its answer is the output, and
 * an error ends with 1.
 */
export async function runTool(line: string, { tools, server, captures, ...run }: ToolRun): Promise<ShellResult> {
  const refused = (message: string): ShellResult => ({ status: 'refused', message, stdout: '', stderr: '' })
  const read = readCall(line, captures)
  if (typeof read === 'string') return refused(read)
  if (tools === undefined) return refused('There are no MCP servers here.')
  const answer = await tools.call(server, { ...run, ...read })
  if (answer.kind === 'lost') return refused(answer.message)
  if (answer.kind === 'timeout') return { status: 'timeout', timeoutMs: run.timeoutMs, stdout: '', stderr: '' }
  const { text, isError } = answer
  const stdout = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return { status: 'done', exitCode: isError ? 1 : 0, stdout, stderr: '' }
}

/** What is called; or why nothing is, one or two sentences. */
function readCall(
  line: string,
  captures: ReadonlyMap<string, string>,
): { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } | string {
  const [, tool, json = ''] = /^\s*([^\s{]+)\s*([^]*)$/.exec(line) ?? []
  if (tool === undefined) return 'A line of an `mcp` block is the name of a tool and its input: `query {"id": 1}`.'
  const filled = json.trim() === '' ? '{}' : fillValues(json, captures)
  try {
    const input: unknown = JSON.parse(filled)
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { tool, input: { ...input } }
  } catch {
    // Told below.
  }
  return `The input of \`${tool}\` is no object in JSON. Write it as in \`query {"id": 1}\`.`
}

const placeholder = /"\$(?<whole>\w+)"|\$\{(?<inner>\w+)(?::(?<from>\d+):(?<length>\d+))?\}/g

/**
 * `"$id"` is what was captured, as a number where it is one; `${id}` stands inside of other text, `${id:0:7}` is a part of
 * it.
 */
function fillValues(json: string, captures: ReadonlyMap<string, string>): string {
  let text = ''
  let end = 0
  for (const { 0: found, index, groups: { whole, inner = '', from, length } = {} } of json.matchAll(placeholder)) {
    const value = captures.get(whole ?? inner)
    text +=
      json.slice(end, index) +
      (value === undefined ? found : fill(value, { isWhole: whole !== undefined, from, length }))
    end = index + found.length
  }
  return text + json.slice(end)
}

interface Filling {
  readonly isWhole: boolean
  readonly from: string | undefined
  readonly length: string | undefined
}

function fill(value: string, { isWhole, from, length }: Filling): string {
  if (isWhole) return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? value : JSON.stringify(value)
  const part = from === undefined ? value : value.slice(Number(from), Number(from) + Number(length))
  return JSON.stringify(part).slice(1, -1)
}
