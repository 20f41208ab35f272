import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutFrontMatterCredentials } from '../../../spec/browser/credentials.ts'
import type { SpecPart } from '../../../spec/spec.ts'
import type { OwnTask } from '../../agent-program-protocol.ts'
import type { BrowserTask } from '../browser-settings.ts'
import { createModel } from '../model.ts'
import type { BrowserServer } from '../tool-server/browser-server.ts'
import { offeredTools, openServers } from './offered-tools.ts'
import { runModel, whyUnreported } from './run-model.ts'
import { describeModelError, WatchedModel } from './model-requests.ts'

interface TaskContext extends Omit<OwnTask<BrowserTask>, 'task'> {
  readonly env: Readonly<Record<string, string>>
  /** The browser starts during the first request to the model, to save time. `carryOutTask` closes the browser. */
  readonly browser: BrowserServer
}

/** Runs the model on the spec in a browser. Results and errors are emitted as events; never rejects. */
export async function carryOutTask(task: BrowserTask, context: TaskContext): Promise<void> {
  const { env, signal, browser, emit } = context
  const { lost } = browser
  browser.user().catch(() => undefined)
  const creating = createModel(task.model)
  creating.catch(() => undefined)
  emit({ type: 'opened', model: task.model.model })
  let watched: WatchedModel | undefined
  try {
    await using servers = await openServers(task, env)
    const { model, providerOptions } = await creating
    watched = new WatchedModel(model, () => emit({ type: 'waiting' }))
    const offered = offeredTools(servers, { browser, emit })
    const texts = await specTexts(task)
    const ends = AbortSignal.any([signal, lost])
    const end = await runModel({ task, watched, providerOptions, texts, offered, signal: ends, emit }).catch(
      (error: unknown) => {
        // A lost browser makes the request fail. Throw the browser's error instead.
        lost.throwIfAborted()
        throw error
      },
    )
    const user = await browser.user()
    const file = await user.screenshot('end')
    if (file !== undefined) emit({ type: 'image', file })
    await user.saveTraffic('end')
    if (end.failures.reported < task.stepCount) emit(whyUnreported(end, task))
    emit({ type: 'end', isError: false })
  } catch (error: unknown) {
    const described = describeModelError(error)
    // When a run is aborted, the browser may die before our signal arrives. The signal explains the error.
    if (described.cause === 'browser') await sleep(signalWaitMs, undefined, { signal }).catch(() => undefined)
    emit((signal.aborted ? watched?.describeWait() : undefined) ?? described)
    emit({ type: 'end', isError: true })
  } finally {
    watched?.[Symbol.dispose]()
    await browser.close()
  }
}

const signalWaitMs = 500

export async function specTexts({ specFiles, parts }: Pick<BrowserTask, 'specFiles' | 'parts'>): Promise<string[]> {
  const asked: readonly SpecPart[] =
    parts ?? specFiles.map((file, index) => ({ file, line: 1, kind: index === 0 ? 'scenario' : 'included' }))
  const texts = await Promise.all(asked.map(readSpecPart))
  return asked.map(({ kind, file }, index) => {
    const isContinued = kind === 'context' && asked[index - 1]?.kind === 'context'
    return `${isContinued ? '' : heads[kind](basename(file))}${texts[index] ?? ''}`
  })
}

async function readSpecPart({ file, line, endLine }: SpecPart): Promise<string> {
  const text = withoutFrontMatterCredentials(await readFile(file, 'utf8'))
  if (line === 1 && endLine === undefined) return text
  const lines = text.split(/\r\n|\r|\n/)
  return lines.slice(line - 1, endLine).join('\n')
}

const heads: Readonly<Record<SpecPart['kind'], (name: string) => string>> = {
  scenario: () => '',
  context: () => 'Context of the scenario, no step of it:\n\n',
  included: (name) => `Included file ${name}:\n\n`,
  seed: (name) => `Seed ${name}, code of another test runner. First do by hand what it prepares:\n\n`,
}
