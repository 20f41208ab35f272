import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AgentEvent } from '../../agent.ts'
import type { CalledEvent } from '../read-browser-events.ts'
import type { BrowserTask } from '../browser-task.ts'
import { describeModelError } from './describe-model-error.ts'
import { offeredTools } from './offered-tools.ts'
import { openTools } from './open-tools.ts'
import { runModel, type ModelEnd } from './run-model.ts'

interface TaskContext {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  emit(event: AgentEvent | CalledEvent): void
}

/** Has the model carry out the spec in a browser. Whatever comes of it is an event; never rejects. */
export async function carryOutTask(task: BrowserTask, { env, signal, emit }: TaskContext): Promise<void> {
  emit({ type: 'opened', model: task.model.model })
  try {
    await using tools = await openTools(task, env)
    const texts = await Promise.all(task.specFiles.map((file, index) => textOf(file, index)))
    let reported = 0
    const offered = offeredTools(tools, { emit, onReport: () => (reported += 1) })
    const { lost } = tools.browser
    const end = await runModel({ task, texts, offered, signal: AbortSignal.any([signal, lost]), emit }).catch(
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
    if (reported < task.stepCount) emit({ type: 'error', cause: 'no-verdict', message: reasonOf(end, task) })
    emit({ type: 'end', isError: false })
  } catch (error: unknown) {
    emit({ type: 'error', ...describeModelError(error) })
    emit({ type: 'end', isError: true })
  }
}

/** The spec is the user's word, as it is. What it includes is told apart by its name. */
async function textOf(file: string, index: number): Promise<string> {
  const text = await readFile(file, 'utf8')
  return index === 0 ? text : `Included file ${basename(file)}:\n\n${text}`
}

function reasonOf(end: ModelEnd, { model, maxModelSteps }: BrowserTask): string {
  if (end === 'finished') return `The model \`${model.model}\` ended its work by itself.`
  return `The model \`${model.model}\` was stopped after ${maxModelSteps} requests. Raise the option \`maxModelSteps\`, or make the scenario smaller.`
}
