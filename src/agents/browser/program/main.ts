// The program of the agent `browser`. It reads its task on its standard input, and prints events, one in a line.
import { createInterface } from 'node:readline'
import { refuseDebugger } from '../../../system/refuse-debugger.ts'
import type { BrowserTask } from '../browser-task.ts'
import { preloadModel } from '../create-model.ts'
import { formatEvent, type OwnEvent } from '../../own-events.ts'
import { openBrowser } from './open-browser.ts'
import { openingBrowser } from './opening-browser.ts'
import { carryOutTask } from './run-task.ts'

refuseDebugger()
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort(signal)) // literals
// Warnings of the SDK are about its own options.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
const given = Object.entries(process.env).flatMap(([name, value]) =>
  value === undefined ? [] : [[name, value] as const],
) // pairs
const env = Object.fromEntries(given)
const emit = (event: OwnEvent): void => void process.stdout.write(formatEvent(event))

const input = createInterface({ input: process.stdin, signal: ending.signal })
const line = await input[Symbol.asyncIterator]().next()
if (!line.done) {
  // mdtest wrote it.
  const task: BrowserTask = JSON.parse(line.value)
  void preloadModel(task.model.provider)
  await carryOutTask(task, { env, signal: ending.signal, browser: openingBrowser(openBrowser({ ...task, env })), emit })
}
