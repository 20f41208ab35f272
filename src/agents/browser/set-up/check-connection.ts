import { MdtestError } from '../../../system/mdtest-error.ts'
import { createModel } from '../create-model.ts'
import { describeModelError } from '../program/describe-model-error.ts'
import { loadPeer } from '../load-peer.ts'
import type { ModelChoice } from '../resolve-model.ts'

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
  try {
    await generateText({
      model,
      providerOptions,
      prompt: 'Reply with OK.',
      maxOutputTokens,
      abortSignal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error: unknown) {
    const { provider, model: name } = choice
    const { cause, message } = describeModelError(error)
    throw new MdtestError(
      cause === 'auth' ? 'AGENT_AUTH' : cause === 'budget' ? 'AGENT_BUDGET' : 'AGENT_MODEL_UNAVAILABLE',
      `The model \`${name}\` of the provider \`${provider}\` cannot be used: ${message}`,
      { hint: 'Check key, name of the model and address.', cause: error },
    )
  }
}
