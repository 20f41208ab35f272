import { z } from 'zod'
import { alwaysOffered, annotations, resultOf } from '../reports/tool-parts.ts'
import type { Answer } from '../reports/step-reports.ts'
import type { ExecutorAnswer } from './executor-answer.ts'
import { addServerTools, toolResult, type ToolServer } from './server-tools.ts'
import type { OfferedTool } from './offered-servers.ts'

/** Names of the tools, besides those of servers. */
export const executorTools: readonly string[] = ['run', 'next_output', 'write']

/** What the tools do. */
export interface ExecutorTools {
  /** Absolute path of the folder for files of the agent's own. */
  readonly scratchDir: string
  /** Of the servers of the spec. */
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
      annotations,
      _meta: alwaysOffered,
    },
    async (asked) => resultOf(await executor.run(asked)),
  )
  server.registerTool(
    'next_output',
    {
      description: 'Wait up to 20 s more for a command that still runs, or end it.',
      inputSchema: z.object({ id: z.string(), stop: z.boolean().optional() }),
      annotations,
      _meta: alwaysOffered,
    },
    async ({ id, stop }) => toolResult(await executor.nextOutput({ id, ...(stop !== undefined && { stop }) })),
  )
  server.registerTool(
    'write',
    {
      description: `Write a file of your own in ${executor.scratchDir} (also $MDTEST_SCRATCH), or one that the spec's \`writes\` names.`,
      inputSchema: z.object({ path: z.string(), content: z.string() }),
      annotations,
      _meta: alwaysOffered,
    },
    async (asked) => resultOf(await executor.write(asked)),
  )
  addServerTools(server, executor.serverTools, (tool, input) => executor.callServer(tool, input))
}
