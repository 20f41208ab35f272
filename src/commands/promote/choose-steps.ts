import { headingLineAt } from '../../plan/heading-line.ts'
import { isLeftOut } from '../../scenario/plan-blocks.ts'
import { stepsOf, type Group, type Scenario, type Spec, type Step, type StepReplay } from '../../spec/spec.ts'
import { quoteWord } from '../../system/text/quote-word.ts'
import { commandFor, type AskedAgent } from '../common/asked-specs.ts'

interface Choice {
  /** Lines that were named; without them all steps are meant. */
  readonly lines: readonly number[] | undefined
  /** Name, of the command line. */
  readonly agent: AskedAgent | undefined
  /** A place as it is shown. */
  nameOf(line: number, file?: string): string
  /** What the recording has of the steps of a scenario, by id. */
  replays(scenario: Scenario): ReadonlyMap<string, StepReplay>
}

export interface ChosenStep {
  /** Of the scenario. */
  readonly ordinal: number
  readonly step: Step
}

/** The steps that are to be promoted, and why some of them cannot be. */
export function chooseSteps(
  spec: Pick<Spec, 'scenarios'>,
  { lines, agent, nameOf, replays }: Choice,
): { readonly steps: readonly ChosenStep[]; readonly problems: readonly string[] } {
  const headings = lines?.map((line) => headingLineAt(spec, line))
  const lost = (lines ?? []).filter((_, index) => headings?.[index] === undefined)
  const problems = lost.map(
    (line) =>
      `${nameOf(line)}: there is no step at this line. \`${commandFor(['list'], agent)}\` shows the line of each.`,
  )
  const steps: ChosenStep[] = []
  for (const scenario of spec.scenarios) {
    const known = replays(scenario)
    for (const step of wanted(scenario, headings)) {
      if (step.actor !== 'agent' || isLeftOut(step)) continue
      const place = nameOf(step.line, step.file)
      const why = whyNot(step, known.get(step.id), { place, agent, isOfPlan: scenario.isApart === true })
      if (why === undefined) steps.push({ ordinal: scenario.ordinal, step })
      else problems.push(`${place} "${step.title}": ${why}`)
    }
  }
  return { steps, problems }
}

/** The steps at or below headings. */
function wanted(scenario: Scenario, headings: readonly (number | undefined)[] | undefined): readonly Step[] {
  const own = [scenario, ...(scenario.groups ?? [])]
  if (headings === undefined || own.some(({ line }) => headings.includes(line))) return stepsOf(scenario)
  const below = (child: Group | Step): readonly Step[] => {
    if (child.file === undefined && headings.includes(child.line))
      return child.kind === 'step' ? [child] : stepsOf(child)
    return child.kind === 'step' ? [] : child.children.flatMap(below)
  }
  return scenario.children.flatMap(below)
}

function whyNot(
  { file, example }: Step,
  replay: StepReplay | undefined,
  {
    place,
    agent,
    isOfPlan,
  }: { readonly place: string; readonly agent: AskedAgent | undefined; readonly isOfPlan: boolean },
): string | undefined {
  if (file !== undefined && isOfPlan)
    return 'it stands in a seed, with which other scenarios may begin, too. Its recording is repeated as it is; to have it in the plan, move the step of the seed into the scenario and record that anew.'
  if (file !== undefined)
    return 'it stands in an included file, which other specs may share. Move the step into the spec, or name the other steps by SPEC:LINE.'
  if (example !== undefined)
    return 'it is a row of a table, and each row has blocks of its own. Write the blocks of the table by hand, with `{{column}}` for its values.'
  if (replay === 'current') return undefined
  const what =
    replay === 'stale' ? 'its recording is of another wording of it or of a step before it' : 'it has no recording'
  return `${what}. Run \`${commandFor(['record', quoteWord(place)], agent)}\` first, or name the steps that have one by SPEC:LINE.`
}
