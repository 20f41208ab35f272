import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnEvent } from '../../own-events.ts'
import type { BrowserTask } from '../browser-task.ts'
import { describeModelError, type ModelError } from './describe-model-error.ts'
import { offeredTools } from './offered-tools.ts'
import type { Browser } from './open-browser.ts'
import { openTools } from './open-tools.ts'
import { createModel } from '../create-model.ts'
import { whyUnreported } from './model-end.ts'
import { runModel } from './run-model.ts'
import { WatchedModel } from './watched-model.ts'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { withoutFrontMatterCredentials } from '../../../spec/browser/credentials.ts'
import type { SpecPart } from '../../../spec/spec.ts'

interface TaskContext {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Open or about to be; is closed at the end. */
  readonly browser: Browser
  emit(event: OwnEvent): void
}

/** Has the model carry out the spec in a browser. Whatever comes of it is an event; never rejects. */
export async function carryOutTask(task: BrowserTask, { env, signal, browser, emit }: TaskContext): Promise<void> {
  emit({ type: 'opened', model: task.model.model })
  let watched: WatchedModel | undefined
  try {
    await using tools = await openTools(task, { env, browser })
    const { model, providerOptions } = await createModel(task.model)
    watched = new WatchedModel(model, () => emit({ type: 'waiting' }))
    const texts = await specTexts(task)
    let reported = 0
    const offered = offeredTools(tools, { baseUrl: task.baseUrl, emit, onReport: () => (reported += 1) })
    const { lost } = tools.browser
    const ends = AbortSignal.any([signal, lost])
    const end = await runModel({ task, watched, providerOptions, texts, offered, signal: ends, emit }).catch(
      (error: unknown) => {
        // What a request says that was given up for it tells nothing.
        lost.throwIfAborted()
        throw error
      },
    )
    const file = await tools.browser.screenshot('end')
    if (file !== undefined) emit({ type: 'image', file })
    await tools.browser.saveTraffic('end')
    if (task.storageStateOut !== undefined) await tools.browser.saveStorageState(task.storageStateOut)
    if (reported < task.stepCount)
      emit(whyUnreported(end, { model: task.model.model, maxModelSteps: task.maxModelSteps }))
    emit({ type: 'end', isError: false })
  } catch (error: unknown) {
    const { waitingMs, error: last } = watched ?? {}
    const described = describeModelError(error)
    // Who ends the run ends all of its processes: of ours, it may be the last to hear of it.
    if (described.cause === 'browser') await sleep(hearingMs, undefined, { signal }).catch(() => undefined)
    const waited = last === undefined ? describeWait(waitingMs, task) : describeModelError(last)
    emit({ type: 'error', ...(signal.aborted ? waited : described) })
    emit({ type: 'end', isError: true })
  } finally {
    watched?.[Symbol.dispose]()
  }
}

/** From the end of another process of the run to our own, in milliseconds. */
const hearingMs = 500

/** What a run that is ended from outside was waiting for. */
function describeWait(waitingMs: number | undefined, { model }: BrowserTask): ModelError {
  if (waitingMs === undefined) return { cause: 'browser', message: 'It was waiting for the browser.' }
  const seconds = Math.round(waitingMs / 1000)
  return { cause: 'model', message: `The model \`${model.model}\` had not answered for ${seconds} s.` }
}

/** What the user says to the model: the spec and what it includes, as they are, or the parts of them that it needs. */
export async function specTexts({ specFiles, parts }: Pick<BrowserTask, 'specFiles' | 'parts'>): Promise<string[]> {
  const asked: readonly SpecPart[] =
    parts ?? specFiles.map((file, index) => ({ file, line: 1, kind: index === 0 ? 'scenario' : 'included' }))
  const texts = await Promise.all(asked.map(readPart))
  return asked.map(({ kind, file }, index) => {
    const isContinued = kind === 'context' && asked[index - 1]?.kind === 'context'
    return `${isContinued ? '' : headOf(kind, basename(file))}${texts[index] ?? ''}`
  })
}

async function readPart({ file, line, endLine }: SpecPart): Promise<string> {
  const text = withoutFrontMatterCredentials(await readFile(file, 'utf8'))
  return line === 1 && endLine === undefined
    ? text
    : text
        .split(/\r\n|\r|\n/)
        .slice(line - 1, endLine)
        .join('\n')
}

/** What is not the spec itself is told apart. */
function headOf(kind: SpecPart['kind'], name: string): string {
  if (kind === 'context') return 'Context of the scenario, no step of it:\n\n'
  if (kind === 'included') return `Included file ${name}:\n\n`
  if (kind === 'seed') return `Seed ${name}, code of another test runner. First do by hand what it prepares:\n\n`
  return ''
}
