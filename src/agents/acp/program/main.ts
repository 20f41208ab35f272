// The program between mdtest and an ACP agent. It reads its task, one line on stdin, starts the agent's own program
// and prints one event per line.
import { createInterface } from 'node:readline'
import { formatEvent } from '../../own-events.ts'
import type { AcpTask } from '../acp-agent.ts'
import { carryOutTask } from './run-task.ts'
import { refuseDebugger } from '../../../system/own-package.ts'

refuseDebugger()
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort(signal)) // literals

const lines = createInterface({ input: process.stdin, signal: ending.signal })[Symbol.asyncIterator]()
const first = await lines.next()
if (!first.done) {
  // No schema needed, because mdtest wrote this line.
  const task: AcpTask = JSON.parse(first.value)
  await carryOutTask(task, {
    env: process.env,
    signal: ending.signal,
    emit: (event) => void process.stdout.write(formatEvent(event)),
    say: (text) => void process.stderr.write(`${text}\n`),
  })
}
