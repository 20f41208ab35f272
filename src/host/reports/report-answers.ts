import { cutLine } from '../../system/text/plain-text.ts'

/** After the last report. The agent's closing words become the body of the result log. */
export function finish(): string {
  return 'All steps are in. Carry out the teardown section if you were asked to, then end with a short summary of what you did. Write no result log.'
}

export function stop(reason: string): string {
  return `Stop: ${reason} Try no further step. Carry out the teardown section if you were asked to, then end now with a short summary. Write no result log.`
}

export function goOn(step: string | undefined): string {
  return `Go on with the step \`${step}\`: try it, then report it.`
}

/** A pass without proof is reported again, with what proves it, or as what it is. */
export function givenBack(id: string, weakness: string): string {
  return `The report of \`${id}\` was not taken yet.\n${weakness}\nTry it again where that helps, then report \`${id}\` again: with what the product shows, or as \`fail\` or \`blocked\` with what you saw.`
}

export function stillChecking(): string {
  return 'mdtest still checks the last step. Try nothing meanwhile: call `next_step` and wait for its answer.'
}

export function refusedAtEnd(id: string, last: string): string {
  return `The report of \`${cutLine(id, 200)}\` was refused, because nothing more is to be reported. ${last}`
}

export function unknown(
  id: string,
  { steps, expected }: { steps: readonly string[]; expected?: string | undefined },
): string {
  const known = steps.map((step) => `\`${step}\``).join(', ')
  return `The report of \`${cutLine(id, 200)}\` was refused: there is no such step. The steps are ${known}.${expectation(expected)}`
}

export function twice(id: string, expected: string | undefined): string {
  return `The report of \`${id}\` was refused: this step is reported already, and a report cannot be changed.${expectation(expected)}`
}

export function tooEarly(id: string): string {
  return `The report of \`${id}\` was refused: mdtest still checks the step before. Call \`next_step\`, try the step that its answer names, and report it then.`
}

export function outOfOrder(id: string, expected: string | undefined): string {
  return `The report of \`${id}\` was refused: steps are reported in their order.${expectation(expected)}`
}

export function tooMuch(id: string, excess: string): string {
  return `The report of \`${id}\` was refused: ${excess} Then report \`${id}\` again.`
}

function expectation(step: string | undefined): string {
  return step === undefined ? ' Call `next_step`.' : ` Try and report \`${step}\` now.`
}
