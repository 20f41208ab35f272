// The program of the agent `browser`. It reads its task on its standard input, and prints events, one in a line.
import { browserTools } from './browser-tools.ts'
import { createInterface } from 'node:readline'
import type { BrowserTask } from '../browser-task.ts'
import { preloadModel } from '../create-model.ts'
import { formatEvent, type OwnEvent } from '../../own-events.ts'
import { openBrowser, type Browser } from './open-browser.ts'
import { carryOutTask } from './run-task.ts'
import { refuseDebugger } from '../../../system/own-package.ts'

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

/**
 * A browser that is being opened: its calls wait for it. Meanwhile the model can be asked for the first time, which takes
 * as long. Where it does not open, the run is lost.
 */
function openingBrowser(opening: Promise<Browser>): Browser {
  const lost = new AbortController()
  const ready = opening.then(
    ({ lost: later }) => {
      const lose = (): void => lost.abort(later.reason)
      if (later.aborted) lose()
      else later.addEventListener('abort', lose, { once: true })
    },
    (error: unknown) => lost.abort(error),
  )
  return {
    tools: browserTools,
    lost: lost.signal,
    ready,
    call: async (tool, input, options) => (await opening).call(tool, input, options),
    screenshot: async (name) => (await opening).screenshot(name),
    saveTraffic: async (name) => (await opening).saveTraffic(name),
    saveStorageState: async (file) => (await opening).saveStorageState(file),
    giveUp: (error) => lost.abort(error),
    close: () =>
      opening.then(
        (browser) => browser.close(),
        () => undefined,
      ),
  }
}
