import { basename } from 'node:path'
import { inlineText } from '../markdown/places.ts'
import { noSeal, resealRecording } from './reseal-recording.ts'
import { keysVersion } from './step-keys.ts'
import { parsePart } from '../markdown/parse-markdown.ts'

/** A step as it is to stand in a recording. */
export interface StepToWrite {
  readonly title: string
  readonly key: string
  /** Program and version of the agent. */
  readonly by: string
  /** Day, `YYYY-MM-DD`. */
  readonly on: string
  /** Blocks as markdown. */
  readonly body: string
}

/** Steps of one scenario, in the order of the spec. */
export interface ScenarioToWrite {
  readonly title: string
  /** Whether the scenario is its one step: a heading, no headings below it. */
  readonly isStep: boolean
  /** Absent where what the recording has of the scenario stays as it is. */
  readonly steps?: readonly StepToWrite[]
}

/** The text of a new recording. */
export function formatRecording(specFile: string, scenarios: readonly ScenarioToWrite[]): string {
  const sections = scenarios.flatMap(({ title, isStep, steps = [] }) => {
    const texts = steps.map((step) => formatUnsealed(step, { isStep }))
    return texts.length === 0 ? [] : [...(isStep ? [] : [formatHeading('#', title)]), ...texts]
  })
  return resealRecording([formatHead(specFile), ...sections].join('\n\n').concat('\n'))
}

/** Says which spec a recording is of, and how its keys are made. */
export function formatHead(specFile: string): string {
  return `---\n${formatOf(specFile)}\n---`
}

export function formatOf(specFile: string): string {
  return `recording-of: ${JSON.stringify(basename(specFile))}\nkeys: ${keysVersion}`
}

export function formatStep(step: StepToWrite, scenario: Pick<ScenarioToWrite, 'isStep'>): string {
  return resealRecording(formatUnsealed(step, scenario))
}

function formatUnsealed(
  { title, key, by, on, body }: StepToWrite,
  { isStep }: Pick<ScenarioToWrite, 'isStep'>,
): string {
  const head = formatHeading(isStep ? '#' : '##', title)
  const marks = `<!-- mdtest: key=${key}${noSeal} by=${JSON.stringify(by)} on=${on} -->`
  return `${head}\n\n${marks}\n\n${body}`
}

/** A heading that is read as this title: where its characters are markdown, they are escaped. */
export function formatHeading(marks: string, title: string): string {
  const plain = `${marks} ${title}`
  return readsAs(plain, title) ? plain : `${marks} ${title.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)}`
}

function readsAs(text: string, title: string): boolean {
  const parsed = parsePart(text)
  const [heading, ...rest] = parsed.ok ? parsed.root.children : []
  return heading?.type === 'heading' && rest.length === 0 && inlineText(heading) === title
}
