import type { OfferedTool } from './model-tools.ts'
import type { ToolOutput } from '../../../mcp/tool-call.ts'

const hintAfter = 3
const verdictAfter = 5
const hopelessAfter = 10

/** Counts calls that come to nothing one after the other, and says what to do about it. */
export class Failures {
  #count = 0
  #vainCount = 0
  #lastInvalid = ''
  readonly #refusals: string[] = []

  /** Whether nothing but a verdict is accepted any more. */
  get isVerdictDue(): boolean {
    return this.#count >= verdictAfter
  }

  /** Whether the model will not come to a verdict: nothing but invalid calls and refused reports for long. */
  get isHopeless(): boolean {
    return this.#vainCount >= hopelessAfter
  }

  /** What was said to reports that were refused, in order. */
  get refusals(): readonly string[] {
    return this.#refusals
  }

  /** Name of the last tool that was called in vain: there is no such tool, or the arguments were no JSON. */
  get lastInvalid(): string {
    return this.#lastInvalid
  }

  /** After a call: what to add for the model. */
  take(
    { kind, name }: Pick<OfferedTool, 'kind' | 'name'>,
    output: Pick<ToolOutput, 'isError' | 'text'>,
  ): string | undefined {
    const { isError, text } = output
    if (isError && name === 'report_step') {
      this.#refusals.push(text)
      this.#vainCount += 1
    }
    if (!isError) {
      this.#count = 0
      this.#vainCount = 0
    } else if (kind === 'browser') this.#count += 1
    if (!isError || kind !== 'browser') return undefined
    if (this.isVerdictDue) return verdict
    return this.#count === hintAfter ? hint : undefined
  }

  /** A call that could not be carried out: there is no such tool, or its arguments are no JSON. */
  takeInvalid(name: string): void {
    this.#count += 1
    this.#vainCount += 1
    this.#lastInvalid = name
  }
}

const hint = `${hintAfter} actions in a row have failed. Take a new snapshot, look at what is really there, and try another way; if the application does not offer what the step requires, report the step as \`fail\`.`
const verdict = `${verdictAfter} actions in a row have failed. Report the step now with \`report_step\`: \`fail\` if the application does not offer what it requires, \`blocked\` if something else kept you from trying.`
