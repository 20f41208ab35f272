import { setImmediate } from 'node:timers/promises'
import { interpreter } from '../../permissions/known-programs.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { ToolOutput } from './kept-outputs.ts'
import type { OwnWords } from './agents-own-words.ts'
import { collapseSpace } from '../../system/text/plain-text.ts'
import { findPlace, quotableLines, type Place, type QuotableLines } from './quotable-lines.ts'

export interface Found {
  readonly isFound: boolean
  readonly atMs?: number
  readonly problem?: string
}

export interface FinderOptions {
  readonly redact?: Redact
  readonly ownWords?: Pick<OwnWords, 'hold' | 'isEcho' | 'isInSpec'> | undefined
  readonly lastReportAtMs?: number | undefined
  /** Time in milliseconds to search for all quotes. Quotes after that time count as not found. Default: 15_000. */
  readonly maxSearchMs?: number
}

/** After this time, the search lets other work run. */
const maxSliceMs = 20

const texts = new WeakMap<ToolOutput, QuotableLines>()

/** The finder ignores colours and white space. A quote from an earlier step's output must name that step. */
export function createQuoteFinder(
  outputs: readonly ToolOutput[],
  options: FinderOptions = {},
): (cited: { readonly quote: string; readonly step?: string | undefined }) => Promise<Found> {
  const { redact = (text) => text, ownWords, maxSearchMs = 15_000 } = options
  const latestFirst = outputs.toSorted((a, b) => b.endedAtMs - a.endedAtMs)
  let spentMs = 0
  let startMs = performance.now()

  return async ({ quote, step }) => {
    const flat = collapseSpace(quote)
    const told = `The cited quote ${shown(redact(flat))}`
    const lost = (problem: string): Found => ({ isFound: false, problem })
    if (flat === '') return lost('A cited quote is empty. Quote what a tool call printed.')
    let isOwn: boolean | undefined
    // Computed once: the check is slow, and its result is the same for all outputs.
    const held = (): boolean => (isOwn ??= ownWords?.hold(quote) === true)
    const isOwnIn = ({ echoes = [] }: ToolOutput): boolean => ownWords?.isEcho(flat, echoes) === true || held()
    const words = quotableLines(quote)
    const isCommand = words.lines.split('\n').every((line) => startsScript(line) && ownWords?.isInSpec(line) !== true)
    const wanted = { ...options, redact, step, isOwnIn, isCommand }
    let best: Found | undefined
    for (const output of latestFirst) {
      const sliceMs = performance.now() - startMs
      if (sliceMs > maxSliceMs) {
        spentMs += sliceMs
        await setImmediate()
        startMs = performance.now()
      }
      if (spentMs > maxSearchMs) {
        const limit = `the search for all quotes took longer than ${maxSearchMs / 1000} s. Cite fewer, and print less.`
        return lost(`${told} was not looked for: ${limit}`)
      }
      const text = texts.get(output) ?? quotableLines(output.text)
      texts.set(output, text)
      const place = findPlace(text, words, output.hasTexts)
      if (place === undefined) continue
      const doubt = doubtOf(output, place, wanted)
      if (doubt === undefined) return { isFound: true, atMs: output.endedAtMs }
      best ??= { isFound: true, atMs: output.endedAtMs, problem: `${told} ${doubt}` }
    }
    return best ?? lost(`${told} ${nowhere}`)
  }
}

interface Wanted extends FinderOptions {
  readonly redact: Redact
  readonly step: string | undefined
  readonly isOwnIn: (output: ToolOutput) => boolean
  readonly isCommand: boolean
}

function doubtOf(output: ToolOutput, { isWhole, line }: Place, wanted: Wanted): string | undefined {
  const { redact, step: named, isOwnIn, isCommand, lastReportAtMs = -Infinity } = wanted
  const { doubt, endedAtMs, step } = output
  if (!isWhole) {
    const whole = 'Quote the whole line, from its beginning, or a whole text of a page.'
    return `is only a part of the line ${shown(redact(line))}. ${whole}`
  }
  if (doubt !== undefined) return `proves nothing: ${doubt}`
  if (isCommand)
    return 'is a command, as npm, make or `set -x` print it: it says what was started, not what came of it. Quote what the product printed.'
  if (isOwnIn(output))
    return 'contains your own words, which you gave the product or wrote into a file: printing them again proves nothing. Quote what the product says of its own, the first words of that line or another.'
  if (endedAtMs > lastReportAtMs || (named !== undefined && named === step)) return undefined
  const of = step ? `, for the step \`${step}\`` : ''
  return `was printed before the last report${of}. If it shows this step, too, name that one: { "quote": "…", "step": ${JSON.stringify(step ?? 'id of the step')} }.`
}

const nowhere =
  "is in no output of a tool call that ended before the report. Quote to the letter what a tool call printed; the text of the spec and of mdtest's logs does not count."

export function shown(quote: string): string {
  return `"${quote.length > 200 ? `${quote.slice(0, 200)}…` : quote}"`
}

/** Whether npm, make or `set -x` repeats a command in a line: `> node notes.mjs add milk`, `> notes@1.0.0 add`. */
function startsScript(line: string): boolean {
  const [, prompt, program = '', file = ''] = /^([>+$]+ )?(\S+)(?: -\S+)* ([\w@/.-]+)/.exec(line) ?? []
  const isScript = prompt === undefined ? /\.(?:[cm]?[jt]s|py|rb|pl|php|sh)$/.test(file) : /[/.]/.test(file)
  return (isScript && interpreter.test(program)) || /^> \S+@\d\S* \S+$/.test(line)
}
