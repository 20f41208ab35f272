import type { OfferedTool } from './model-tools.ts'
import type { ToolOutput } from './tool-server.ts'

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
