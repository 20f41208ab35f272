import { z } from 'zod'
import { resultOf, toolParts } from '../reports/report-server.ts'
import type { Answer } from '../reports/step-reports.ts'
import type { ExecutorAnswer } from './executor-answer.ts'
import type { OfferedTool } from './offered-servers.ts'
import type { CallToolResult, JSONObject, McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server'

/** Names of the tools, besides those of servers. */
export const executorTools: readonly string[] = ['run', 'next_output', 'write']

export interface ExecutorTools {
  /** Absolute path of the folder for files of the agent's own. */
  readonly scratchDir: string
  readonly serverTools: readonly OfferedTool[]
  run(asked: { readonly command: string }): Promise<Answer>
  nextOutput(asked: { readonly id: string; readonly stop?: boolean }): Promise<ExecutorAnswer>
  write(asked: { readonly path: string; readonly content: string }): Promise<Answer>
  callServer(tool: OfferedTool, input: Readonly<Record<string, unknown>>): Promise<ExecutorAnswer>
}

/** Adds the tools by which an agent has mdtest act. Each word of them is paid for in every request to a model. */
export function addExecutorTools(server: ToolServer, executor: ExecutorTools): void {
  server.registerTool(
    'run',
    {
      description:
        'Execute a bash command in the directory of the test: the only way to use the product. The shell lasts: `cd` stays, variables stay until the next report. Answers after at most 20 s with exit code, time and output; a long output is shortened.',
      inputSchema: z.object({ command: z.string() }),
      ...toolParts,
    },
    async (asked) => resultOf(await executor.run(asked)),
  )
  server.registerTool(
    'next_output',
    {
      description: 'Wait up to 20 s more for a command that still runs, or end it.',
      inputSchema: z.object({ id: z.string(), stop: z.boolean().optional() }),
      ...toolParts,
    },
    async ({ id, stop }) => toolResult(await executor.nextOutput({ id, ...(stop !== undefined && { stop }) })),
  )
  server.registerTool(
    'write',
    {
      description: `Write a file of your own in ${executor.scratchDir} (also $MDTEST_SCRATCH), or one that the spec's \`writes\` names.`,
      inputSchema: z.object({ path: z.string(), content: z.string() }),
      ...toolParts,
    },
    async (asked) => resultOf(await executor.write(asked)),
  )
  addServerTools(server, executor.serverTools, (tool, input) => executor.callServer(tool, input))
}

export type ToolServer = Pick<McpServer, 'registerTool'>

type Input = Readonly<Record<string, unknown>>

function addServerTools(
  server: ToolServer,
  tools: readonly OfferedTool[],
  call: (tool: OfferedTool, input: Input) => Promise<ExecutorAnswer>,
): void {
  for (const tool of tools) {
    const { offeredName, description, inputSchema } = tool
    server.registerTool(
      offeredName,
      {
        ...(description !== undefined && { description }),
        inputSchema: unchecked(inputSchema),
        ...toolParts,
      },
      async (input) => toolResult(await call(tool, input)),
    )
  }
}

function toolResult({ text, parts, isError }: ExecutorAnswer): CallToolResult {
  return { content: [...(parts ?? [{ type: 'text' as const, text }])], ...(isError && { isError }) } // a literal
}

/** The schema as the server told it: the server itself checks what it is given. */
function unchecked(schema: Input): StandardSchemaWithJSON<Input> {
  const told = (): JSONObject => ({ ...schema, type: 'object' }) as JSONObject // it came as JSON
  return {
    '~standard': {
      version: 1,
      vendor: 'mdtest',
      validate: (value) => ({ value: value as Input }), // arguments of a call are an object
      jsonSchema: { input: told, output: told },
    },
  }
}
