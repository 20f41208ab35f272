import fc, { anyCharacter } from '../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import type { AgentRequest, CliAgent } from '../../src/agents/agent.ts'
import type { Command } from '../../src/system/process/command.ts'

/** What every agent has to keep, whatever its program is. `create` makes a fresh one. */
export function testAgent(name: string, create: () => CliAgent): void {
  describe(`the contract of an agent: ${name}`, () => {
    test('starts its own program in the directory and environment that were asked for', () => {
      const agent = create()
      const command = agent.buildCommand(agentRequest())
      const { cwd, env } = command
      expect(handedOver(command).program).toBe(agent.bin)
      expect(cwd).toBe('/project')
      expect(env).toEqual({ PATH: '/bin', HOME: '/home/me' })
    })

    test('hands the prompt over whole, whatever is in it', () => {
      fc.assert(
        fc.property(fc.string({ unit: anyCharacter }), (prompt) => {
          expect(handedOver(create().buildCommand(agentRequest({ prompt }))).prompt).toBe(prompt)
        }),
      )
    })

    test('builds the same command from the same request and leaves the request alone', () => {
      const request = agentRequest({ allow: ['Bash(npm *)'], network: true })
      const before = structuredClone(request)
      expect(create().buildCommand(request)).toEqual(create().buildCommand(request))
      expect(request).toEqual(before)
    })

    test('reads any line without throwing, with events of known types only', () => {
      const agent = create()
      fc.assert(fc.property(anyLine, (line) => expectEvents(agent, line)))
    })

    test('takes nothing that its program did not write for the opening of a session', () => {
      const agent = create()
      const lines = ['', ' ', 'hello', '{"type":"opened"}', '{"type":"system"}', '["system","init"]', 'null']
      expect(lines.flatMap((line) => agent.readEvents(line)).filter(({ type }) => type === 'opened')).toEqual([])
    })
  })
}

/**
 * The agent's program and its prompt, the last argument. Where a program of ours leads the agent, both stand in the task
 * on its standard input.
 */
export function handedOver({ argv, input }: Command): {
  readonly program: string
  readonly prompt: string | undefined
} {
  if (input === undefined) return { program: argv[0], prompt: argv.at(-1) }
  const task: { readonly argv: readonly [string]; readonly request: { readonly prompt: string } } = JSON.parse(input)
  return { program: task.argv[0], prompt: task.request.prompt }
}

/** A request with everything off; `changes` on top. */
export function agentRequest(changes: Partial<AgentRequest> = {}): AgentRequest {
  return {
    prompt: 'Read and execute.',
    cwd: '/project',
    specFile: '/project/notes.test.md',
    logFile: '/project/notes.logs/t.log.md',
    env: { PATH: '/bin', HOME: '/home/me' },
    allow: [],
    network: false,
    dangerouslyAllowAllActions: false,
    ...changes,
  }
}

const eventTypes = ['opened', 'tool-call', 'tool-result', 'denial', 'text', 'usage', 'error', 'end', 'unknown']

function expectEvents(agent: CliAgent, line: string): void {
  for (const event of agent.readEvents(line)) {
    expect(eventTypes).toContain(event.type)
    if (event.type === 'tool-call') expect(event.title).toBeTypeOf('string')
  }
}

/** Lines that have the right keys and any value in them: the shape a next version may send. */
const anything = fc.jsonValue({ maxDepth: 2 })
const part = fc.record(
  {
    id: fc.oneof(fc.string(), anything),
    type: fc.oneof(
      fc.constantFrom('text', 'tool_use', 'tool_result', 'command_execution', 'mcp_tool_call', 'file_change'),
      anything,
    ),
    text: anything,
    name: fc.oneof(fc.constantFrom('Bash', 'Write', '__proto__'), anything),
    input: anything,
    tool_use_id: anything,
    content: anything,
    command: anything,
    changes: anything,
    error: anything,
    result: anything,
    status: fc.oneof(fc.constantFrom('failed', 'declined'), anything),
    exit_code: anything,
  },
  { requiredKeys: [] },
)
const nearlyKnownLine = fc.record(
  {
    type: fc.constantFrom(
      'system',
      'assistant',
      'user',
      'result',
      'thread.started',
      'turn.started',
      'turn.completed',
      'turn.failed',
      'item.started',
      'item.completed',
      'item.updated',
      'error',
      'stream_event',
    ),
    subtype: fc.oneof(fc.constantFrom('init', 'permission_denied', 'success'), anything),
    message: fc.oneof(fc.record({ content: fc.oneof(fc.array(part), anything) }), anything),
    permission_denials: fc.oneof(
      fc.array(
        fc.record({
          tool_name: fc.constant('Bash'),
          tool_input: anything,
        }),
      ),
      anything,
    ),
    item: fc.oneof(part, anything),
    usage: anything,
    error: anything,
    is_error: anything,
    result: anything,
  },
  { requiredKeys: ['type'] },
)
const anyLine = fc.oneof(
  nearlyKnownLine.map((line) => JSON.stringify(line)),
  fc.json(),
  fc.string({ unit: anyCharacter }),
)
