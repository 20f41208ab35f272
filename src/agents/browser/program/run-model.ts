import type { ModelMessage } from 'ai'
import type { OwnEvent } from '../../own-events.ts'
import type { BrowserTask } from '../browser-task.ts'
import type { CreatedModel } from '../create-model.ts'
import { loadPeer } from '../../load-peer.ts'
import { Failures } from './failures.ts'
import type { ModelEnd } from './model-end.ts'
import { createModelTools, type OfferedTool } from './model-tools.ts'
import { createPruner } from './prune-snapshots.ts'
import type { WatchedModel } from './watched-model.ts'

interface ModelRun {
  readonly task: Pick<BrowserTask, 'model' | 'systemPrompt' | 'maxModelSteps'>
  readonly watched: WatchedModel
  readonly providerOptions: CreatedModel['providerOptions']
  /** What the user says: the spec and what it includes. */
  readonly texts: readonly string[]
  readonly offered: readonly OfferedTool[]
  readonly signal: AbortSignal
  emit(event: OwnEvent): void
}

/** The SDK waits as long as the provider asks, if that is less than a minute; else 2, 4, … s, some two minutes in all. */
const maxRetries = 6

/** Leaves the work to the model, request by request, until it calls no tool any more or has made too many requests. */
export async function runModel(run: ModelRun): Promise<ModelEnd> {
  const { task, watched, providerOptions, texts, offered, signal, emit } = run
  const { generateText, stepCountIs } = await loadPeer('ai', () => import('ai'))
  const failures = new Failures()
  const prune = createPruner()
  const tools = await createModelTools(offered, {
    isStrict: task.model.provider === 'azure',
    emit,
    isAlone: () => (watched.last?.callCount ?? 0) <= 1,
    onOutput: (tool, output) => failures.take(tool, output),
  })
  let turns = 0
  const used = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }
  try {
    await generateText({
      model: watched.model,
      providerOptions,
      system: { role: 'system', content: task.systemPrompt, ...marked },
      messages: [{ role: 'user', content: texts.map((text) => ({ type: 'text', text })), ...marked }],
      tools,
      abortSignal: signal,
      maxRetries,
      stopWhen: [stepCountIs(task.maxModelSteps), () => failures.isHopeless],
      prepareStep: ({ messages }) => ({
        messages: withMark(prune(messages)),
        // Who fails again and again has to say what came of it.
        ...(failures.isVerdictDue && { activeTools: verdictTools, toolChoice: 'required' as const }), // a literal
      }),
      onStepFinish({ usage, text, toolCalls }) {
        const { inputTokens = 0, outputTokens = 0 } = usage
        const cachedInputTokens = usage.inputTokenDetails?.cacheReadTokens ?? 0
        turns += 1
        used.inputTokens += inputTokens
        used.outputTokens += outputTokens
        used.cachedInputTokens += cachedInputTokens
        for (const { toolName, ...call } of toolCalls)
          if ('invalid' in call && call.invalid) failures.takeInvalid(toolName)
        emit({ type: 'tokens', id: String(turns), inputTokens, outputTokens, cachedInputTokens })
        if (text !== '') emit({ type: 'text', text })
      },
    }).catch((error: unknown) => {
      // It was to call a tool and did not: that is how it ended.
      if (!(error instanceof Error && error.name === 'AI_ToolChoiceViolationError')) throw error
      const { text = '' } = watched.last ?? {}
      if (text !== '') emit({ type: 'text', text })
    })
    const { refusals, lastInvalid, isHopeless } = failures
    const isOutOfRequests = turns >= task.maxModelSteps && (watched.last?.callCount ?? 0) > 0
    return { last: watched.last, refusals, lastInvalid, isHopeless, isOutOfRequests }
  } finally {
    // Counted here: of a run that is ended the SDK tells nothing.
    emit({ type: 'usage', ...used, turns })
  }
}

/** Anthropic keeps the beginning of a request up to a mark; the others keep what they can, and do not know it. */
const marked = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } as const // a literal

/** The next request begins with all of this one. */
function withMark(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) => (index === messages.length - 1 ? { ...message, ...marked } : message))
}

const verdictTools = ['report_step', 'next_step']
