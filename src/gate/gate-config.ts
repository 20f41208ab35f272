import { z } from 'zod'
import { quoteWord } from '../shared/quote-word.ts'
import { mcpServersSchema, type McpServers } from '../spec/mcp-servers.ts'
import { gateNames, type GateName } from './gate-results.ts'

/** Longest delay a Node.js timer takes, in milliseconds. */
const maxTimerMs = 2_147_483_647
const milliseconds = z.int().min(1).max(maxTimerMs)

const words = z.tuple([z.string().min(1)], z.string())
const commandLine = z.union([z.string().regex(/\S/, 'a command'), words])
const limited = z.strictObject({
  command: commandLine,
  timeoutMs: milliseconds.optional().describe('Limit of the command. Default: 600000.'),
  noOutputTimeoutMs: milliseconds.optional().describe('Limit without output. Default: none.'),
})
const gate = z
  .union([commandLine, limited, z.null()])
  .describe('A string is run by `sh -c`, an array without a shell. null: there is no such gate.')

const gates = { compile: gate.optional(), lint: gate.optional(), test: gate.optional() }
const commands = z.strictObject(gates)

const agent = z.union([z.enum(['auto', 'claude', 'codex']), z.strictObject({ command: words })])

/** `mdtest.config.json`. */
export const gateConfigSchema = z.strictObject({
  $schema: z.string().optional(),
  commands,
  agent: agent
    .optional()
    .describe('Who is asked to fix a red gate. In the words of a command, `{prompt}` is replaced. Default: nobody.'),
  allow: z.array(z.string().min(1)).optional().describe('What that agent may do, as Claude Code permission rules.'),
  mayChange: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Globs of files that an attempt to fix may change, besides sources of the product and new files beside them.',
    ),
  mcpServers: mcpServersSchema.optional().describe('MCP servers for that agent, written as in `.mcp.json`.'),
  reportDir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder in which `mdtest fix` writes the HTML report, relative to the project. Default: none is written.',
    ),
})

/** The same in a file that is not ours: what else is in it, also among the commands, is for others. */
export const planningConfigSchema = z.object({ project: z.object({ commands: z.object(gates) }) })

export type FixAgent = z.infer<typeof agent>

/** A gate with all that is needed to run it. */
export interface GateCommand {
  readonly argv: readonly [string, ...string[]]
  /** As a person would type it. */
  readonly shown: string
  readonly timeoutMs: number
  readonly noOutputTimeoutMs?: number
}

/** What a project has to pass. */
export interface GateConfig {
  /** Absolute path of the file that says so. */
  readonly file: string
  readonly commands: Readonly<Partial<Record<GateName, GateCommand>>>
  readonly agent?: FixAgent
  readonly allow: readonly string[]
  readonly mayChange: readonly string[]
  readonly mcpServers: McpServers
  /** Relative to the project. */
  readonly reportDir?: string
}

const defaultTimeoutMs = 600_000

/** Fills in the defaults. */
export function resolveCommands(configured: z.infer<typeof commands>): GateConfig['commands'] {
  return Object.fromEntries(gateNames.flatMap((name) => resolveCommand(configured[name], name)))
}

function resolveCommand(
  configured: z.infer<typeof gate> | undefined,
  name: GateName,
): readonly (readonly [GateName, GateCommand])[] {
  if (configured === undefined || configured === null) return []
  const isLimited = typeof configured === 'object' && !Array.isArray(configured)
  const {
    command,
    timeoutMs = defaultTimeoutMs,
    noOutputTimeoutMs,
  } = isLimited ? configured : { command: configured, timeoutMs: undefined, noOutputTimeoutMs: undefined }
  const own = noOutputTimeoutMs === undefined ? {} : { noOutputTimeoutMs }
  return [[name, { ...argvOf(command), timeoutMs, ...own }]]
}

function argvOf(command: z.infer<typeof commandLine>): Pick<GateCommand, 'argv' | 'shown'> {
  if (typeof command === 'string') return { argv: ['sh', '-c', command], shown: command }
  return { argv: command, shown: command.map(quoteWord).join(' ') }
}
