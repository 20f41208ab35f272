import { top } from '../../markdown/positions-and-placeholders.ts'
import { AstBuilder, compile, Errors, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'
import { IdGenerator } from '@cucumber/messages'
import type { Feature, FeatureChild, Location, Pickle, Rule, Scenario, Step, Tag } from '@cucumber/messages'
import { messageOf } from '../../../system/error-facts.ts'
import type { Report } from '../../rules/spec-rules.ts'
import type { SpecLines } from '../../spec.ts'

export function readFeature(
  text: string,
  report: Report,
): { readonly feature: Feature; readonly pickles: readonly Pickle[] } | undefined {
  try {
    const newId = IdGenerator.incrementing()
    const document = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher()).parse(text)
    // Cucumber's type is wrong: the feature can be missing.
    const feature = document.feature as Feature | undefined
    if (!feature) {
      const message = 'There is no feature. Write `Feature:` and a name, and below it `Scenario:` with its steps.'
      report('gherkin-scenario', top, message)
    } else if (unrolledLength(feature.children, 0) > maxUnrolledLength) {
      report('spec-too-large', top, 'The feature has too many rows or scenarios for its length. Split it.')
    } else return { feature, pickles: compile(document, '', newId) }
  } catch (error: unknown) {
    const lines = text.split('\n')
    const faults = error instanceof Errors.CompositeParserException ? error.errors : [error]
    for (const fault of faults) reportFault(fault, lines, report)
  }
  return undefined
}

function reportFault(fault: unknown, lines: readonly string[], report: Report): void {
  const { line = 1, column = 1 } = fault instanceof Errors.GherkinException ? fault.location : {}
  const place = line > lines.length ? { line: lines.length, column: 1 } : { line, column: Math.max(column, 1) }
  const said = messageOf(fault).replace(/^\(\d+:-?\d+\): |[.?]$/g, '')
  report('gherkin-syntax', place, `Cucumber cannot read this: ${said}. Correct this line or those above it.`)
}

/** Largest expanded feature, in UTF-16 code units of JSON. Cucumber itself has no limit. */
const maxUnrolledLength = 64 * 1024 * 1024

/** JSON length of all steps after expansion: outline steps for each row, background steps for each scenario. */
function unrolledLength(children: readonly FeatureChild[], above: number): number {
  const lengthOf = (steps: readonly Step[]): number => JSON.stringify(steps).length
  let before = above
  let sum = 0
  for (const { background, rule, scenario } of children) {
    if (background) before += lengthOf(background.steps)
    if (rule) sum += unrolledLength(rule.children, before)
    if (!scenario) continue
    const { examples, steps } = scenario
    const rows = examples.reduce((count, { tableBody }) => count + tableBody.length, 0)
    sum += (before + lengthOf(steps)) * (examples.length === 0 ? 1 : rows)
  }
  return sum
}

export interface PlacedScenario {
  readonly scenario: Scenario
  readonly endLine: number
  readonly rule?: Pick<Rule, 'name' | 'location'> & { readonly endLine: number }
  readonly context: readonly SpecLines[]
  readonly backgrounds: readonly SpecLines[]
}

interface Above extends Pick<PlacedScenario, 'context' | 'backgrounds' | 'rule'> {
  readonly end: number
}

/** Finds the last line of each scenario, because Cucumber's parser gives only the first line. */
export function placeScenarios(
  { location, children }: Feature | Rule,
  lines: readonly string[],
  { end, ...above }: Above = { end: lines.length + 1, context: [], backgrounds: [] },
): readonly PlacedScenario[] {
  const all: readonly FeatureChild[] = children
  const firsts = all.map(({ background, rule, scenario }) => {
    const tagged = rule ?? scenario
    return tagged ? firstLine(tagged) : (background?.location.line ?? 1)
  })
  const context = [...above.context, linesUpTo(firsts[0] ?? end, location, lines)]
  let { backgrounds } = above
  return all.flatMap(({ background, rule, scenario }, index): readonly PlacedScenario[] => {
    const next = firsts[index + 1] ?? end
    if (background && (background.steps.length > 0 || background.description !== ''))
      backgrounds = [...backgrounds, linesUpTo(next, background.location, lines)]
    if (rule) {
      const { endLine } = linesUpTo(next, rule.location, lines)
      return placeScenarios(rule, lines, { end: next, context, backgrounds, rule: { ...rule, endLine } })
    }
    if (!scenario) return []
    const { endLine } = linesUpTo(next, scenario.location, lines)
    return [{ ...above, context, backgrounds, scenario, endLine }]
  })
}

/** The lines of a part: from `line` to the line before `next`, without blank lines and comments at the end. */
export function linesUpTo(next: number, { line }: Pick<Location, 'line'>, lines: readonly string[]): SpecLines {
  let endLine = next - 1
  while (endLine > line && /^\s*(?:#.*)?$/.test(lines[endLine - 1] ?? '')) endLine -= 1
  return { line, endLine }
}

export function firstLine({ location, tags }: { readonly location: Location; readonly tags: readonly Tag[] }): number {
  return Math.min(location.line, ...tags.map((tag) => tag.location.line))
}
