import { AstBuilder, compile, Errors, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'
import { IdGenerator, type Feature, type Pickle, type FeatureChild, type Step } from '@cucumber/messages'
import { messageOf } from '../../../system/error-facts.ts'
import type { Report } from '../../rules/spec-rules.ts'
import type { Place } from '../../spec.ts'

const top = { line: 1, column: 1 }

interface ReadFeature {
  readonly feature: Feature
  readonly pickles: readonly Pickle[]
}

export function readFeature(text: string, report: Report): ReadFeature | undefined {
  try {
    const newId = IdGenerator.incrementing()
    const document = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher()).parse(text)
    // Its types leave out that there may be none.
    const feature = document.feature as Feature | undefined
    if (!feature) {
      const message = 'There is no feature. Write `Feature:` and a name, and below it `Scenario:` with its steps.'
      report('gherkin-scenario', top, message)
    } else if (unrolledLength(feature) > maxUnrolledLength) {
      const message = 'The feature has too many rows or scenarios for the length of their steps. Split it.'
      report('spec-too-large', top, message)
    } else return { feature, pickles: compile(document, '', newId) }
  } catch (error: unknown) {
    const lines = text.split('\n')
    for (const fault of faultsIn(error)) report('gherkin-syntax', placeOf(fault, lines), describe(fault))
  }
  return undefined
}

function faultsIn(error: unknown): readonly unknown[] {
  return error instanceof Errors.CompositeParserException ? error.errors : [error]
}

/** The end of a file is no line of it. */
function placeOf(fault: unknown, lines: readonly string[]): Place {
  const { line = 1, column = 1 } = fault instanceof Errors.GherkinException ? fault.location : {}
  return line > lines.length ? { line: lines.length, column: 1 } : { line, column: Math.max(column, 1) }
}

function describe(fault: unknown): string {
  const said = messageOf(fault).replace(/^\(\d+:-?\d+\): /, '')
  return `Cucumber cannot read this: ${said.replace(/[.?]$/, '')}. Correct this line or those above it.`
}

/** The longest that Cucumber may make a feature, in UTF-16 code units of JSON: it has no limit but the memory. */
const maxUnrolledLength = 64 * 1024 * 1024

/** How long all steps are once each row has its own and each scenario those of its background, as JSON. */
function unrolledLength({ children }: Pick<Feature, 'children'>): number {
  return lengthBelow(children, 0)
}

function lengthBelow(children: readonly FeatureChild[], above: number): number {
  let before = above
  let sum = 0
  for (const { background, rule, scenario } of children) {
    if (background) before += lengthOf(background.steps)
    if (rule) sum += lengthBelow(rule.children, before)
    if (!scenario) continue
    const { examples, steps } = scenario
    const rows = examples.reduce((count, { tableBody }) => count + tableBody.length, 0)
    sum += (before + lengthOf(steps)) * (examples.length === 0 ? 1 : rows)
  }
  return sum
}

function lengthOf(steps: readonly Step[]): number {
  return JSON.stringify(steps).length
}
