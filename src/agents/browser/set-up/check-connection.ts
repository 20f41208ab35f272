import { MdtestError } from '../../../system/mdtest-error.ts'
import { createModel } from '../create-model.ts'
import { describeModelError } from '../program/describe-model-error.ts'
import { loadPeer } from '../../load-peer.ts'
import type { ModelChoice } from '../resolve-model.ts'
import { limitTime } from '../../../system/concurrency.ts'

const timeoutMs = 30_000
/** The fewest that all providers accept. */
const maxOutputTokens = 16

/**
 * Makes one short request to the model: a wrong key or name would fail each spec otherwise, after a browser was started.
 * @throws {MdtestError} `AGENT_MODEL_UNAVAILABLE`, `AGENT_AUTH` or `AGENT_BUDGET` that says what the provider answered.
 */
export async function checkConnection(choice: ModelChoice): Promise<void> {
  const { generateText } = await loadPeer('ai', () => import('ai'))
  const { model, providerOptions } = await createModel(choice)
  using limit = limitTime(timeoutMs)
  try {
    await generateText({
      model,
      providerOptions,
      prompt: 'Reply with OK.',
      maxOutputTokens,
      abortSignal: limit.signal,
    })
  } catch (error: unknown) {
    const { provider, model: name } = choice
    const { cause, message, status } = isTimeout(error) ? silent : describeModelError(error)
    // It is there. Each scenario waits as long as it has time.
    if (cause === 'model' && (status === 429 || status === 503 || status === 529)) return
    throw new MdtestError(
      cause === 'auth' ? 'AGENT_AUTH' : cause === 'budget' ? 'AGENT_BUDGET' : 'AGENT_MODEL_UNAVAILABLE',
      `The model \`${name}\` of the provider \`${provider}\` cannot be used: ${message}`,
      { ...(cause !== 'model' && { hint: 'Check key, name of the model and address.' }), cause: error },
    )
  }
}

const silent = {
  cause: 'model',
  status: undefined,
  message: `it did not answer within ${timeoutMs / 1000} s. Check its address, and try again later.`,
} as const // a literal cause

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
