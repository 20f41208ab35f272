import { basename } from 'node:path'
import { parseRecording } from './parse-recording.ts'
import type { RecordedStep } from './recording.ts'

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

/**
 * The text of a recording. A step whose key and blocks are as they were stays byte for byte, so a flow that did not
 * change is the same file.
 *
 * @param before text of the recording that is there
 */
export function formatRecording(specFile: string, scenarios: readonly ScenarioToWrite[], before = ''): string {
  const old = parseRecording(before, specFile).recording.steps
  const kept = new Map(old.map((step) => [step.key, sourceOf(step, before)]))
  const sections = scenarios.flatMap(({ title, isStep, steps }) => {
    const ofScenario = old.filter((step) => (step.scenario ?? step.title) === title)
    const texts =
      steps?.map((step) => formatStep(step, isStep ? '#' : '##', kept.get(step.key))) ??
      ofScenario.map((step) => sourceOf(step, before))
    return texts.length === 0 ? [] : [...(isStep ? [] : [`# ${title}`]), ...texts]
  })
  return [`---\nrecording-of: ${JSON.stringify(basename(specFile))}\n---`, ...sections].join('\n\n').concat('\n')
}

function formatStep({ title, key, by, on, body }: StepToWrite, marks: string, before: string | undefined): string {
  const head = `${marks} ${title}`
  if (before !== undefined && before.startsWith(`${head}\n`) && before.endsWith(`-->\n\n${body}`)) return before
  return `${head}\n\n<!-- mdtest: key=${key} by=${JSON.stringify(by)} on=${on} -->\n\n${body}`
}

function sourceOf({ line, endLine }: RecordedStep, text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .slice(line - 1, endLine)
    .join('\n')
}
