import type { ToolOutput } from '../../../mcp/mcp-session.ts'
import { loadPeer } from '../../load-peer.ts'
import type { AgentEvent } from '../../agent.ts'
import type { OwnEvent } from '../../agent-program-protocol.ts'
import type { BrowserTask } from '../browser-settings.ts'
import { reportTools } from '../browser-tools.ts'
import type { CreatedModel } from '../model.ts'
import { createModelTools } from './model-tools.ts'
import { errorEvent, flat, textIn, type WatchedModel } from './model-requests.ts'
import type { OfferedTool } from './offered-tools.ts'
import { createPruner } from './prune-snapshots.ts'

interface ModelRun {
  readonly task: Pick<BrowserTask, 'model' | 'systemPrompt' | 'maxModelSteps'>
  readonly watched: WatchedModel
  readonly providerOptions: CreatedModel['providerOptions']
  readonly texts: readonly string[]
  readonly offered: readonly OfferedTool[]
  readonly signal: AbortSignal
  emit(event: OwnEvent): void
}

export interface ModelEnd extends Pick<WatchedModel, 'last'> {
  readonly failures: Failures
  readonly isOutOfRequests: boolean
}

// Turn off warnings of the SDK: they concern only its own options.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/** Before a retry the SDK waits 2, 4, … 64 s. A `Retry-After` of the provider below a minute replaces this time. */
const maxRetries = 6

export async function runModel(run: ModelRun): Promise<ModelEnd> {
  const { task, watched, providerOptions, texts, offered, signal, emit } = run
  const { generateText, stepCountIs } = await loadPeer('ai', () => import('ai'))
  const failures = new Failures()
  const prune = createPruner()
  const tools = await createModelTools(offered, {
    isStrict: task.model.provider === 'azure',
    emit,
    isAlone: () => watched.callCount <= 1,
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
        messages: prune(messages).map((message, index) =>
          index === messages.length - 1 ? { ...message, ...marked } : message,
        ),
        // After several failures in a row, the model gets only the report tools.
        ...(failures.isVerdictDue && {
          activeTools: reportTools.map(({ name }) => name),
          toolChoice: 'required' as const,
        }),
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
      if (!(error instanceof Error && error.name === 'AI_ToolChoiceViolationError')) throw error
      const text = textIn(watched.last)
      if (text !== '') emit({ type: 'text', text })
    })
    return { last: watched.last, failures, isOutOfRequests: turns >= task.maxModelSteps && watched.callCount > 0 }
  } finally {
    // Counted here, because the SDK returns no usage for an aborted run.
    emit({ type: 'usage', ...used, turns })
  }
}

/** Anthropic caches a request up to this mark. Other providers cache without marks and ignore the mark. */
const marked = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } as const

/** Says why steps have no report. If the model refused or could not answer, the cause is `model`. */
export function whyUnreported(
  { last, failures, isOutOfRequests }: ModelEnd,
  { model: { model }, maxModelSteps }: Pick<BrowserTask, 'model' | 'maxModelSteps'>,
): AgentEvent {
  const { isHopeless, lastInvalid, refusals } = failures
  const { unified: reason, raw = reason } = last?.finishReason ?? {}
  // The SDK's finish reason, with the provider's own reason if both differ.
  const because = reason === undefined ? '' : ` (finish reason \`${raw === reason ? reason : `${reason} (${raw})`}\`)`
  const words = flat(textIn(last))
  const count = refusals.length === 1 ? 'A report was refused' : `${refusals.length} reports were refused, the last one`
  const refused = refusals.length === 0 ? '' : ` ${count}: ${flat(refusals.at(-1) ?? '')}`
  const told = `${words === '' ? '' : ` Its last words: "${words}"`}${refused}`
  const name = `The model \`${model}\``
  const noVerdict = (what: string): AgentEvent => errorEvent('no-verdict', `${name} ${what}${told}`)
  const blocked = (what: string, remedy: string): AgentEvent =>
    errorEvent('model', `${name} ${what}${because}.${told} ${remedy}`)
  if (reason === 'content-filter')
    return blocked('refused, or a filter of its provider did', 'Reword the step, or choose another model.')
  if (reason === 'length')
    return blocked('was cut off', 'Make the scenario smaller, or choose a model that may answer at greater length.')
  if (isHopeless && lastInvalid !== '')
    return blocked(
      `called tools that do not exist, or with arguments that are no JSON, again and again, \`${lastInvalid}\` at last`,
      'Choose a model that can use tools.',
    )
  if (isHopeless) return noVerdict('was stopped: its reports were refused again and again.')
  const remedy = 'Raise the option `maxModelSteps`, or make the scenario smaller.'
  if (isOutOfRequests) return noVerdict(`was stopped after ${maxModelSteps} requests. ${remedy}`)
  if (words === '' && !last?.content.some(({ type }) => type === 'tool-call'))
    return blocked('gave an empty answer', 'Run it again, or choose another model.')
  return noVerdict(`ended its work by itself${because}.`)
}

const hintAfter = 3
const verdictAfter = 5
const hopelessAfter = 10

export class Failures {
  readonly refusals: string[] = []
  reported = 0
  /** Name of the tool in the last invalid call. The tool does not exist, or the arguments were not JSON. */
  lastInvalid = ''
  #count = 0
  #vainCount = 0

  get isVerdictDue(): boolean {
    return this.#count >= verdictAfter
  }

  /** Whether to give up, after many invalid calls and refused reports without a success. */
  get isHopeless(): boolean {
    return this.#vainCount >= hopelessAfter
  }

  take(
    { kind, name }: Pick<OfferedTool, 'kind' | 'name'>,
    { isError, text }: Omit<ToolOutput, 'parts'>,
  ): string | undefined {
    const isReport = name === 'report_step'
    if (!isError) {
      this.#count = 0
      this.#vainCount = 0
      if (isReport) this.reported += 1
      return undefined
    }
    if (isReport) {
      this.refusals.push(text)
      this.#vainCount += 1
    }
    if (kind !== 'browser') return undefined
    this.#count += 1
    if (this.isVerdictDue) return verdict
    return this.#count === hintAfter ? hint : undefined
  }

  takeInvalid(name: string): void {
    this.#count += 1
    this.#vainCount += 1
    this.lastInvalid = name
  }
}

const hint = `${hintAfter} actions in a row have failed. Take a new snapshot, look at what is really there, and try another way; if the application does not offer what the step requires, report the step as \`fail\`.`
const verdict = `${verdictAfter} actions in a row have failed. Report the step now with \`report_step\`: \`fail\` if the application does not offer what it requires, \`blocked\` if something else kept you from trying.`
