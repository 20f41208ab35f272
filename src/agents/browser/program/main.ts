// The program of the agent `browser`: reads its task in the environment and prints events, one in a line.
import { refuseDebugger } from '../../../system/refuse-debugger.ts'
import type { AgentEvent } from '../../agent.ts'
import { browserTaskSchema } from './browser-task-schema.ts'
import { taskVariable } from '../browser-task.ts'
import { carryOutTask } from './run-task.ts'
import { formatBrowserEvent, type CalledEvent, type WaitingEvent } from '../read-browser-events.ts'

refuseDebugger()
const { [taskVariable]: text = '', ...env } = process.env
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort(signal)) // literals
// Warnings of the SDK are about its own options.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

const task = browserTaskSchema.parse(JSON.parse(text))
const emit = (event: AgentEvent | CalledEvent | WaitingEvent): void =>
  void process.stdout.write(formatBrowserEvent(event))
const given = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])) // pairs
await carryOutTask(task, { env: Object.fromEntries(given), signal: ending.signal, emit })
