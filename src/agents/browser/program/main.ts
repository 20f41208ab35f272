// The program of the agent `browser`. It reads its task, one line on stdin, and prints one event per line.
import { createInterface } from 'node:readline'
import { refuseDebugger } from '../../../system/own-package.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import { formatEvent } from '../../own-events.ts'
import type { BrowserTask } from '../browser-task.ts'
import { BrowserServer } from '../server/browser-server.ts'
import { carryOutTask } from './run-task.ts'

refuseDebugger()
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort(signal)) // literals
// Turn off warnings of the SDK: they concern only its own options.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

const input = createInterface({ input: process.stdin, signal: ending.signal })
const line = await input[Symbol.asyncIterator]().next()
if (!line.done) {
  const task: BrowserTask = JSON.parse(line.value)
  const env = withoutUndefined<Record<string, string>>(process.env)
  // Playwright puts its temporary files into TMPDIR.
  process.env.TMPDIR = task.launch.home
  await carryOutTask(task, {
    ...{ env, signal: ending.signal, browser: new BrowserServer(task, env) },
    emit: (event) => void process.stdout.write(formatEvent(event)),
  })
}
