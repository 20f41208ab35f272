import { z } from 'zod'
import { codingAgentNames } from '../../agents/registry.ts'
import { runnerNamed, runnerNames, type RunnerName } from '../../test-runners/runners.ts'
import { acpAgentSchema, mcpServersSchema } from '../../spec/front-matter/servers-and-logins.ts'
import { quoteWord } from '../../system/text/shell-and-regex-quotes.ts'
import type { McpServers } from '../../spec/front-matter/front-matter.ts'
import { maxTimerMs } from '../../system/slots-and-timers.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'

// An `error` in these schemas is the end of a message that begins with `Expected … to be`.

const span = `a whole number of milliseconds from 1 to ${maxTimerMs}`
const milliseconds = z.int(span).min(1, span).max(maxTimerMs, span)

const words = z.tuple([z.string().min(1)], z.string())
const commandLine = z.union([z.string().regex(/\S/, 'a command, its words, or null'), words])
const limited = z.strictObject({
  command: commandLine,
  timeoutMs: milliseconds.optional().describe('Limit of the command. Default: 600000.'),
  noOutputTimeoutMs: milliseconds.optional().describe('Limit without output. Default: none.'),
})
const named = limited.partial({ command: true }).extend({
  runner: z
    .enum(runnerNames)
    .optional()
    .describe('Test runner that runs the whole suite instead of a command, like `run_test`.'),
  junit: z
    .string()
    .min(1)
    .optional()
    .describe('A report of the JUnit family that the command writes, relative to the project: it names the tests.'),
  names: z
    .literal(false)
    .optional()
    .describe('The command reports no tests: its exit code decides, without a concern.'),
})
const gate = z
  .union([commandLine, limited, z.null()], {
    error: 'a command, its words, { "command", "timeoutMs", "noOutputTimeoutMs" } with times in milliseconds, or null',
  })
  .describe('A string is run by bash with `pipefail`, an array without a shell. null: no such gate.')

const testForms =
  'a command, its words, null, or an object with one of `command` and `runner`, times in milliseconds, and `junit` or `names` beside a command'
const hasOneSource = named.refine(
  ({ command, runner }) => (command === undefined) !== (runner === undefined),
  testForms,
)
const testGate = z
  .union([commandLine, hasOneSource, z.null()], { error: testForms })
  .describe('As the others are, with `runner` in place of `command`, or with `junit` or `names` besides.')

const gates = { compile: gate.optional(), lint: gate.optional(), test: testGate.optional() }
const commands = z.strictObject(gates, { error: 'an object with compile, lint and test' })

const agent = z.union([z.enum(codingAgentNames), acpAgentSchema, z.strictObject({ command: words })], {
  error: `${codingAgentNames.map((each) => `"${each}"`).join(', ')} { "acp": ["program", …] } or { "command": ["program", …] }`,
})
const globs = z.array(z.string().min(1))

export const gateConfigSchema = z.strictObject(
  {
    $schema: z.string().optional(),
    commands,
    tests: z
      .literal('required')
      .optional()
      .describe('The test gate fails if no test is seen to run. Default: its exit code decides then, with a concern.'),
    agent: agent
      .optional()
      .describe('Agent that fixes failed gates. In the words of a command, `{prompt}` is replaced. Default: none.'),
    allow: globs.optional().describe('What that agent may do, as Claude Code permission rules.'),
    mayChange: globs
      .optional()
      .describe('Globs of files that an attempt to fix may change, although they judge the product.'),
    protect: globs
      .optional()
      .describe('Globs of files that an attempt to fix may not change, besides all that judges.'),
    mcpServers: mcpServersSchema.optional().describe('MCP servers for that agent, written as in `.mcp.json`.'),
    executionLog: z
      .boolean()
      .optional()
      .describe('Whether EXECUTION-LOG.md gets a line for each gate. Default: only if there is a folder .planning.'),
  },
  { error: 'an object with `commands`' },
)

/** Gates in `.planning/config.json`. Other tools own this file, so unknown keys are allowed. */
export const planningConfigSchema = z.object({ project: z.object({ commands: z.object(gates) }) })

export function keysOfGate(isTest: boolean): readonly string[] {
  return Object.keys((isTest ? named : limited).shape)
}

export interface GateCommand {
  readonly argv: readonly [string, ...string[]]
  readonly shown: string
  readonly timeoutMs: number
  readonly noOutputTimeoutMs?: number
  readonly runner?: RunnerName
  readonly junit?: string
  readonly hasNames?: boolean
  readonly needsTests?: boolean
}

export interface GateConfig {
  readonly file: string
  readonly commands: Readonly<Partial<Record<GateName, GateCommand>>>
  readonly agent?: z.infer<typeof agent>
  readonly allow: readonly string[]
  readonly mayChange: readonly string[]
  readonly protect: readonly string[]
  readonly mcpServers: McpServers
  readonly executionLog?: boolean
}

export const gateNames = ['compile', 'lint', 'test'] as const
export type GateName = (typeof gateNames)[number]

export function resolveCommands(configured: z.infer<typeof commands>, needsTests = false): GateConfig['commands'] {
  const resolved = gateNames.flatMap((name) => {
    const command = resolveCommand(configured[name])
    return command === undefined ? [] : [[name, name === 'test' && needsTests ? { ...command, needsTests } : command]]
  })
  return Object.fromEntries(resolved) as GateConfig['commands'] // keys are names of gates
}

function resolveCommand(configured: z.infer<typeof testGate> | undefined): GateCommand | undefined {
  if (configured === undefined || configured === null) return undefined
  const isPlain = typeof configured === 'string' || Array.isArray(configured)
  const given: z.infer<typeof named> = isPlain ? { command: configured } : configured
  const { command = '', timeoutMs = 600_000, noOutputTimeoutMs, runner, junit, names: hasNames } = given
  const line = runner === undefined ? command : runnerNamed(runner).template.all
  return withoutUndefined<GateCommand>({ ...argvOf(line), timeoutMs, noOutputTimeoutMs, runner, junit, hasNames })
}

function argvOf(command: z.infer<typeof commandLine>): Pick<GateCommand, 'argv' | 'shown'> {
  // `pipefail` makes `npm test | tee log` fail if `npm test` fails.
  if (typeof command === 'string') return { argv: ['bash', '-o', 'pipefail', '-c', command], shown: command }
  return { argv: command, shown: command.map(quoteWord).join(' ') }
}
