import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { stepResultSchema } from '../../records/result-log/result-log-schema.ts'
import type { Answer, StepReports } from './step-reports.ts'

/** Neither CLI asks a user before it calls a tool that says this of itself. */
const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

const reportSchema = stepResultSchema
  .omit({ id: true })
  .extend({ step: z.string().describe('Id of the step, as the prompt lists it') })

/** The MCP server of one request: both tools, for one scenario. */
export function createReportTools(stepReports: StepReports): McpServer {
  const server = new McpServer({ name: 'mdtest', version: '1' })
  server.registerTool(
    'report_step',
    {
      description:
        'Report one step of the test right after you tried it, in the order of the steps, once. The answer says what to do next. `observed`: what you saw, in one sentence. `evidence`: quotes, to the letter, of what a tool printed for this step ({ "quote": "…" }; for an earlier step, with its id: { "quote": "…", "step": "…" }), or names of files in the evidence folder. `checks`: one entry for each check (`- [ ]` item) of the step, by its number `n`.',
      inputSchema: reportSchema,
      annotations,
      _meta: alwaysOffered,
    },
    async ({ step, ...result }) => resultOf(await stepReports.report({ id: step, ...result })),
  )
  server.registerTool(
    'next_step',
    {
      description: 'Ask what comes next, when the answer to a report said that mdtest is still checking.',
      inputSchema: z.object({}),
      annotations,
      _meta: alwaysOffered,
    },
    async () => resultOf(await stepReports.next()),
  )
  return server
}

/** Claude Code hides tools of MCP servers behind a search tool otherwise. */
const alwaysOffered = { 'anthropic/alwaysLoad': true }

function resultOf({ text, isError }: Answer): { content: { type: 'text'; text: string }[]; isError?: true } {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) }
}
