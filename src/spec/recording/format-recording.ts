import { basename } from 'node:path'
import { inlineText } from '../markdown/positions-and-placeholders.ts'
import { parseRecording, sealOf } from './parse-recording.ts'
import { keysVersion } from './step-keys.ts'
import { parsePart } from '../markdown/parse-markdown.ts'

export interface StepToWrite {
  readonly title: string
  readonly key: string
  readonly by: string
  readonly on: string
  readonly body: string
}

export interface ScenarioToWrite {
  readonly title: string
  readonly isStep: boolean
  /** New steps. If absent, the recorded steps of the scenario stay as they are. */
  readonly steps?: readonly StepToWrite[]
}

export function formatRecording(specFile: string, scenarios: readonly ScenarioToWrite[]): string {
  const sections = scenarios.flatMap(({ title, isStep, steps = [] }) => {
    const texts = steps.map((step) => formatStep(step, { isStep }))
    return texts.length === 0 ? [] : [...(isStep ? [] : [formatHeading('#', title)]), ...texts]
  })
  return [formatHead(specFile), ...sections].join('\n\n').concat('\n')
}

export function formatHead(specFile: string): string {
  return `---\n${formatOf(specFile)}\n---`
}

export function formatOf(specFile: string): string {
  return `recording-of: ${JSON.stringify(basename(specFile))}\nkeys: ${keysVersion}`
}

export function formatStep(
  { title, key, by, on, body }: StepToWrite,
  { isStep }: Pick<ScenarioToWrite, 'isStep'>,
): string {
  const marks = `<!-- mdtest: key=${key}${noSeal} by=${JSON.stringify(by)} on=${on} -->`
  return resealRecording(`${formatHeading(isStep ? '#' : '##', title)}\n\n${marks}\n\n${body}`)
}

const noSeal = '00000000'

/** Updates the seals (checksums behind the keys) to match the blocks. A step without a seal gets none. */
export function resealRecording(source: string): string {
  // Pieces with an even index are lines, the others are line ends.
  const pieces = source.split(/(\r\n|\r|\n)/)
  const lines = pieces.filter((_, index) => index % 2 === 0)
  for (const { key, seal, line, endLine, blocks } of parseRecording(source, '').recording.steps) {
    if (seal === undefined) continue
    const mark = key + seal
    const at = lines.findIndex((text, index) => index >= line && index < endLine && text.includes(mark))
    if (at !== -1) pieces[at * 2] = pieces[at * 2]?.replace(mark, key + sealOf(blocks, lines)) ?? ''
  }
  return pieces.join('')
}

/** A heading that markdown reads as exactly this title. Escapes punctuation if necessary. */
export function formatHeading(marks: string, title: string): string {
  const plain = `${marks} ${title}`
  const parsed = parsePart(plain)
  const [heading, ...rest] = parsed.ok ? parsed.root.children : []
  const isRead = heading?.type === 'heading' && rest.length === 0 && inlineText(heading) === title
  return isRead ? plain : `${marks} ${title.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)}`
}
