import type { AgentEvent } from '../../agent.ts'
import type { CalledEvent } from '../read-browser-events.ts'
import type { BrowserTask } from '../browser-task.ts'
import { createModel } from '../create-model.ts'
import { loadPeer } from '../load-peer.ts'
import { createModelTools, type OfferedTool } from './model-tools.ts'
import { createPruner } from './prune-snapshots.ts'
import type { ToolOutput } from './tool-server.ts'

interface ModelRun {
  readonly task: Pick<BrowserTask, 'model' | 'systemPrompt' | 'maxModelSteps'>
  /** What the user says: the spec and what it includes. */
  readonly texts: readonly string[]
  readonly offered: readonly OfferedTool[]
  readonly signal: AbortSignal
  emit(event: AgentEvent | CalledEvent): void
}

/** How the model stopped. */
export type ModelEnd = 'finished' | 'too-many-steps'

/** Leaves the work to the model, request by request, until it calls no tool any more or has made too many requests. */
export async function runModel({ task, texts, offered, signal, emit }: ModelRun): Promise<ModelEnd> {
  const { generateText, stepCountIs } = await loadPeer('ai', () => import('ai'))
  const { model, providerOptions } = await createModel(task.model)
  const failures = new Failures()
  const prune = createPruner()
  const tools = await createModelTools(offered, {
    isStrict: task.model.provider === 'azure',
    emit,
    onOutput: (tool, output) => failures.take(tool, output),
  })
  let turns = 0
  const used = { inputTokens: 0, outputTokens: 0 }
  try {
    const { finishReason } = await generateText({
      model,
      providerOptions,
      system: task.systemPrompt,
      messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }],
      tools,
      abortSignal: signal,
      stopWhen: stepCountIs(task.maxModelSteps),
      prepareStep: ({ messages }) => ({
        messages: prune(messages),
        // Who fails again and again has to say what came of it.
        ...(failures.isVerdictDue && { activeTools: verdictTools, toolChoice: 'required' as const }), // a literal
      }),
      onStepFinish({ usage: { inputTokens = 0, outputTokens = 0 }, text }) {
        turns += 1
        used.inputTokens += inputTokens
        used.outputTokens += outputTokens
        emit({ type: 'tokens', id: String(turns), inputTokens, outputTokens })
        if (text !== '') emit({ type: 'text', text })
      },
    })
    return finishReason === 'tool-calls' ? 'too-many-steps' : 'finished'
  } finally {
    // Counted here: of a run that is ended the SDK tells nothing.
    emit({ type: 'usage', ...used, turns })
  }
}

const verdictTools = ['report_step', 'next_step']

const hintAfter = 3
const verdictAfter = 5

/** Counts actions that fail one after the other, and says what to do about it. */
export class Failures {
  #count = 0

  /** Whether nothing but a verdict is accepted any more. */
  get isVerdictDue(): boolean {
    return this.#count >= verdictAfter
  }

  /** After a call: what to add for the model. */
  take({ kind }: Pick<OfferedTool, 'kind'>, { isError }: Pick<ToolOutput, 'isError'>): string | undefined {
    if (!isError) this.#count = 0
    else if (kind === 'browser') this.#count += 1
    if (!isError || kind !== 'browser') return undefined
    if (this.isVerdictDue) return verdict
    return this.#count === hintAfter ? hint : undefined
  }
}

const hint = `${hintAfter} actions in a row have failed. Take a new snapshot, look at what is really there, and try another way; if the application does not offer what the step requires, report the step as \`fail\`.`
const verdict = `${verdictAfter} actions in a row have failed. Report the step now with \`report_step\`: \`fail\` if the application does not offer what it requires, \`blocked\` if something else kept you from trying.`
