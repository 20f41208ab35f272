export function notPrinted(quote: string): string {
  return `The cited quote ${shown(quote)} is in no output of a tool call that ended before the report. Quote to the letter what a tool call printed; the text of the spec and of mdtest's logs does not count.`
}

export function inLine(quote: string, line: string): string {
  return `The cited quote ${shown(quote)} is only a part of the line ${shown(line)}. Quote the whole line, from its beginning, or a whole text of a page.`
}

export function own(quote: string): string {
  return `The cited quote ${shown(quote)} holds your own words, which the product or a file got from you: that they come out again proves nothing. Quote what the product says of its own.`
}

export function doubted(quote: string, why: string): string {
  return `The cited quote ${shown(quote)} proves nothing: ${why}`
}

export function ownFile(name: string): string {
  return `The cited file \`${name}\` holds words of your own, so it proves nothing. Save what the product prints, or quote it.`
}

export function ofFailure(quote: string): string {
  return `The cited quote ${shown(quote)} was printed by a call that failed, so it shows only that the call failed. Quote what the page showed.`
}

export function earlier(quote: string, step: string | undefined): string {
  const name = JSON.stringify(step ?? 'id of the step')
  return `The cited quote ${shown(quote)} was printed before the last report${step === undefined ? '' : `, for the step \`${step}\``}. If it shows this step, too, name that one: { "quote": "…", "step": ${name} }.`
}

export function citedBefore(quote: string, step: string): string {
  return `The cited quote ${shown(quote)} was cited for the step \`${step}\` already, and nothing printed it since. Quote what was printed for this step; if it shows both, name the other one: { "quote": "…", "step": ${JSON.stringify(step)} }.`
}

export function untold(quote: string): string {
  return `The cited quote ${shown(quote)} cannot be looked for: the agent does not tell what its commands print. Have mdtest execute (\`executor: mdtest\`), or use another agent.`
}

export function notLookedFor(quote: string, limitMs: number): string {
  return `The cited quote ${shown(quote)} was not looked for: the search for all quotes took longer than ${limitMs / 1000} s. Cite fewer, and print less.`
}

function shown(quote: string): string {
  return `"${quote.length > 200 ? `${quote.slice(0, 200)}…` : quote}"`
}
