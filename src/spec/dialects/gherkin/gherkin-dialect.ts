import {
  type Location,
  type Pickle,
  type TableRow,
  type PickleTag,
  StepKeywordType,
  type PickleStep,
  type Step,
} from '@cucumber/messages'
import { type Example, type Place, type ScenarioGroup, type SpecLines, type Check } from '../../spec.ts'
import { buildApart, outcomesIn, type ClauseKind } from '../apart.ts'
import type { Dialect, DialectDocument, DialectParts } from '../dialect.ts'
import { FeatureLines, firstLine, type PlacedScenario, FeatureRequirements, FeatureTitles } from './feature-parts.ts'
import { readFeature } from './read-feature.ts'

/** Features of Cucumber: each scenario, and each row of an outline, is a scenario of ours, of one step. */
export const gherkinDialect: Dialect<'gherkin'> = {
  name: 'gherkin',
  ending: 'feature',
  takesContext: true,
  build(document) {
    const text = withoutFrontMatter(document)
    const read = readFeature(text, document.report)
    if (read === undefined) return { includes: document.context.files, scenarios: [], requirements: [] }
    const { feature, pickles } = read
    const split = text.split('\n')
    const lines = new FeatureLines(split)
    const requirements = new FeatureRequirements(feature, split)
    const placed = lines.scenariosOf(feature)
    reportWithout(placed, { report: document.report, location: feature.location })
    const titles = new FeatureTitles()
    const context = { lines, titles, pickles: byNode(pickles) }
    const scenarios = placed.flatMap((each) =>
      casesOf(each, context).flatMap(({ pickle, title, groups, ...more }) => {
        const { steps, name } = each.scenario
        const { example, place } = more
        const scenario = {
          ...place,
          title: () => titles.ofScenario(example === undefined ? title : `${example.title}: ${title}`),
          stepTitle: () => titles.ofStep(title, groups.at(-1)),
          name,
          groups,
          about: each.context,
          checks: readChecks(steps, pickle),
          proves: requirements.provedBy(each, more.lines.length > 0 ? more.lines : [place]),
          tags: toTags(pickle.tags),
          // Without a step it is yet to be written.
          hasProse: steps.length > 0,
          lines: more.lines,
          example,
        }
        return buildApart(scenario, document) ?? []
      }),
    )
    const numbered = scenarios.map((scenario, index) => ({ ...scenario, ordinal: index + 1 }))
    const title = document.frontMatter.title ?? feature.name
    const { files: includes } = document.context
    return { includes, scenarios: numbered, requirements: requirements.listAll(), ...(title !== '' && { title }) }
  },
}

/** Markdown that says `dialect: gherkin` has some, which is none of Cucumber's business. */
function withoutFrontMatter({ headLength, text }: DialectParts): string {
  const lines = text.split('\n')
  return lines.map((line, index) => (index < headLength ? '' : line)).join('\n')
}

function reportWithout(
  placed: readonly PlacedScenario[],
  { report, location }: Pick<DialectDocument, 'report'> & { readonly location: Location },
): void {
  if (placed.length === 0) {
    const message = 'The feature has no scenario. Write `Scenario:` and a name, and below it steps such as `Then …`.'
    report('gherkin-scenario', placeOf(location), message)
  }
  for (const { scenario } of placed) {
    if (scenario.examples.length === 0 || scenario.examples.some(({ tableBody }) => tableBody.length > 0)) continue
    const message = `The outline "${scenario.name}" has no row below \`Examples\`, so there would be no test. Write a header, and a row for each test.`
    report('gherkin-scenario', placeOf(scenario.location), message)
  }
}

function byNode(pickles: readonly Pickle[]): ReadonlyMap<string, Pickle> {
  return new Map(pickles.map((pickle) => [pickle.astNodeIds.at(-1) ?? '', pickle]))
}

/** What becomes a scenario of ours: one of the feature, or a row of an outline. */
interface Case {
  readonly pickle: Pickle
  readonly title: string
  readonly groups: readonly ScenarioGroup[]
  readonly place: Place & { readonly endLine: number }
  readonly lines: readonly SpecLines[]
  readonly example?: Example
}

interface FeatureContext {
  readonly lines: FeatureLines
  readonly titles: FeatureTitles
  readonly pickles: ReadonlyMap<string, Pickle>
}

function casesOf(
  { scenario, endLine, rule, backgrounds }: PlacedScenario,
  { lines, titles, pickles }: FeatureContext,
): readonly Case[] {
  const ruleGroup = rule && titles.group({ ...placeOf(rule.location), title: rule.name, endLine: rule.endLine })
  const groups = ruleGroup === undefined ? [] : [ruleGroup]
  const place = { ...placeOf(scenario.location), endLine }
  if (scenario.examples.length === 0) {
    const pickle = pickles.get(scenario.id)
    const told = backgrounds.length === 0 ? [] : [...backgrounds, { line: place.line, endLine }]
    return pickle === undefined ? [] : [{ pickle, groups, place, lines: told, title: pickle.name }]
  }
  const outline = titles.group({ ...place, title: scenario.name }, ruleGroup)
  const head = lines.upTo(Math.min(...scenario.examples.map(firstLine)), scenario.location)
  return scenario.examples.flatMap(({ location, tableHeader: header, tableBody }) =>
    tableBody.flatMap((row): readonly Case[] => {
      const pickle = pickles.get(row.id)
      if (pickle === undefined || !header) return []
      const { line } = row.location
      const names = { line: location.line, endLine: header.location.line }
      return [
        {
          pickle,
          groups: [...groups, outline],
          place: { ...placeOf(row.location), endLine: line },
          lines: [...backgrounds, head, names, { line, endLine: line }],
          title: pickle.name === scenario.name ? cellsOf(row) : pickle.name,
          example: { title: outline.title, values: valuesOf(header, row) },
        },
      ]
    }),
  )
}

function cellsOf({ cells }: TableRow): string {
  return cells.map(({ value }) => (value === '' ? '""' : value)).join(', ')
}

/** Of two columns with one name Cucumber takes the first. */
function valuesOf(header: TableRow, row: TableRow): Example['values'] {
  const values = new Map<string, string>()
  for (const [index, { value: name }] of header.cells.entries()) {
    if (!values.has(name)) values.set(name, row.cells[index]?.value ?? '')
  }
  return Object.fromEntries(values)
}

function placeOf({ line, column = 1 }: Location): Place {
  return { line, column }
}

/** Tags without `@`, each once. What filters of tags use, as in `@issue(12)`, becomes `-`: `issue-12-`. */
function toTags(tags: readonly PickleTag[]): readonly string[] {
  return [...new Set(tags.map(({ name }) => name.replace(/^@/, '').replace(/[\s!*&|(),]/g, '-')))]
}

/**
 * What a scenario is judged by: each `Then`, and what goes on behind one. Steps of a background are none.
 *
 * @param steps of the scenario, as written
 * @param pickle the same with the values of a row
 */
function readChecks(steps: readonly Step[], pickle: Pickle): readonly (Place & Pick<Check, 'text'>)[] {
  const filled = new Map(pickle.steps.map((step) => [step.astNodeIds[0], step]))
  return outcomesIn(steps, kindOfStep).map(({ id, text, location: { line, column = 1 } }) => {
    const step = filled.get(id)
    return { line, column, text: step === undefined ? text : textOf(step) }
  })
}

/** `*` is of no kind of its own. */
function kindOfStep({ keywordType }: Step): ClauseKind {
  if (keywordType === StepKeywordType.OUTCOME) return 'outcome'
  return keywordType === StepKeywordType.CONTEXT || keywordType === StepKeywordType.ACTION ? 'context' : 'more'
}

function textOf({ text, argument: { dataTable, docString } = {} }: PickleStep): string {
  const rows = dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value).join(' | '))
  const parts = [
    ...(docString === undefined ? [] : [JSON.stringify(docString.content)]),
    ...(rows === undefined ? [] : [rows.join('; ')]),
  ]
  return parts.length === 0 ? text : `${text.replace(/:$/, '')}: ${parts.join(' and ')}`
}
