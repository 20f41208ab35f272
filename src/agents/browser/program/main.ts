// The program of the agent `browser`. It reads two lines on its standard input: with the first one it opens a browser, with
// the second one it begins on a scenario. It prints events, one in a line.
import { createInterface } from 'node:readline'
import { refuseDebugger } from '../../../system/refuse-debugger.ts'
import type { BrowserProgramStart, BrowserTask } from '../browser-task.ts'
import { preloadModel } from '../create-model.ts'
import { formatEvent, type OwnEvent } from '../../own-events.ts'
import { openBrowser, type Browser } from './open-browser.ts'
import { openingBrowser } from './opening-browser.ts'
import { carryOutTask } from './run-task.ts'
import { ScenarioFolders } from './scenario-folders.ts'

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
const lines = input[Symbol.asyncIterator]()
const first = await lines.next()
if (!first.done) await begin(first.value)

async function begin(line: string): Promise<void> {
  // mdtest wrote both lines.
  const { launch, provider }: BrowserProgramStart = JSON.parse(line)
  const folders = new ScenarioFolders(launch.home)
  const open = (): Browser => openingBrowser(openBrowser({ launch, env, folders }))
  const early = open()
  void preloadModel(provider)
  const second = await lines.next()
  if (second.done) return early.close()
  const task: BrowserTask = JSON.parse(second.value)
  folders.lead(task)
  // What died while nobody needed it is nobody's trouble.
  const browser = early.lost.aborted ? open() : early
  await carryOutTask(task, { env, signal: ending.signal, browser, emit })
}
