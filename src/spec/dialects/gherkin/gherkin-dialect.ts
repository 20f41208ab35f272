import {
  type Examples,
  type Location,
  type Pickle,
  type TableRow,
  type PickleTag,
  StepKeywordType,
  type PickleStep,
  type Step,
} from '@cucumber/messages'
import { findFrontMatter } from '../../front-matter/find-front-matter.ts'
import { type Example, type Place, type Scenario, type ScenarioGroup, type SpecLines, type Check } from '../../spec.ts'
import { buildApart } from '../build-apart.ts'
import type { Dialect, DialectDocument, DialectParts } from '../dialect.ts'
import { FeatureLines, firstLine, type PlacedScenario } from './feature-lines.ts'
import { FeatureRequirements } from './feature-requirements.ts'
import { FeatureTitles } from './feature-titles.ts'
import { readFeature } from './read-feature.ts'

/** Features of Cucumber: each scenario, and each row of an outline, is a scenario of ours, of one step. */
export const gherkinDialect: Dialect<'gherkin'> = {
  name: 'gherkin',
  ending: 'feature',
  keys: {},
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
    reportWithout(placed, { document, location: feature.location })
    const context = { document, lines, titles: new FeatureTitles(), pickles: byNode(pickles), requirements }
    const scenarios = placed.flatMap((each) => buildScenarios(each, context))
    const numbered = scenarios.map((scenario, index) => ({ ...scenario, ordinal: index + 1 }))
    const title = document.frontMatter.title ?? feature.name
    const { files: includes } = document.context
    return { includes, scenarios: numbered, requirements: requirements.listAll(), ...(title !== '' && { title }) }
  },
}

/** Markdown that says `dialect: gherkin` has some, which is none of Cucumber's business. */
function withoutFrontMatter({ raw, text }: DialectDocument & DialectParts): string {
  const lineCount = raw.values.size === 0 ? 0 : (findFrontMatter(text)?.lineCount ?? 0)
  const lines = text.split('\n')
  return lines.map((line, index) => (index < lineCount ? '' : line)).join('\n')
}

interface FeaturePlace {
  readonly document: DialectDocument
  readonly location: Location
}

function reportWithout(placed: readonly PlacedScenario[], { document: { report }, location }: FeaturePlace): void {
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

/** By the id of the scenario or row that each is made of. */
function byNode(pickles: readonly Pickle[]): ReadonlyMap<string, Pickle> {
  return new Map(pickles.map((pickle) => [pickle.astNodeIds.at(-1) ?? '', pickle]))
}

interface FeatureContext {
  readonly document: DialectDocument & DialectParts
  readonly lines: FeatureLines
  readonly titles: FeatureTitles
  readonly pickles: ReadonlyMap<string, Pickle>
  readonly requirements: FeatureRequirements
}

/** That of a scenario, or those of an outline. */
function buildScenarios(placed: PlacedScenario, context: FeatureContext): readonly Scenario[] {
  const { scenario, endLine, rule, backgrounds } = placed
  const { titles, pickles } = context
  const ruleGroup = rule && titles.group({ ...placeOf(rule.location), title: rule.name, endLine: rule.endLine })
  const groups = ruleGroup === undefined ? [] : [ruleGroup]
  const place = { ...placeOf(scenario.location), endLine }
  if (scenario.examples.length > 0) {
    const outline = titles.group({ ...place, title: scenario.name }, ruleGroup)
    return buildRows(placed, { ...context, groups: [...groups, outline], outline })
  }
  const pickle = pickles.get(scenario.id)
  if (pickle === undefined) return []
  const { line } = place
  const lines = backgrounds.length === 0 ? [] : [...backgrounds, { line, endLine }]
  return buildScenario(placed, { ...context, pickle, groups, place, lines, title: pickle.name })
}

interface OutlineContext extends FeatureContext {
  readonly groups: readonly ScenarioGroup[]
  /** The last of these. */
  readonly outline: ScenarioGroup
}

function buildRows(placed: PlacedScenario, { outline, ...context }: OutlineContext): readonly Scenario[] {
  const { scenario, backgrounds } = placed
  const { lines, pickles } = context
  const head = lines.upTo(Math.min(...scenario.examples.map(firstLine)), scenario.location)
  return scenario.examples.flatMap((examples) =>
    examples.tableBody.flatMap((row) => {
      const pickle = pickles.get(row.id)
      if (pickle === undefined || !examples.tableHeader) return []
      const { line } = row.location
      const title = pickle.name === scenario.name ? cellsOf(row) : pickle.name
      return buildScenario(placed, {
        ...context,
        pickle,
        place: { ...placeOf(row.location), endLine: line },
        lines: [...backgrounds, head, headerOf(examples, examples.tableHeader), { line, endLine: line }],
        title,
        example: { title: outline.title, values: valuesOf(examples.tableHeader, row) },
      })
    }),
  )
}

interface ScenarioContext extends Pick<FeatureContext, 'document' | 'titles' | 'requirements'> {
  readonly pickle: Pickle
  readonly groups: readonly ScenarioGroup[]
  readonly place: Place & { readonly endLine: number }
  /** What is carried out, where it is more than stands at its place. */
  readonly lines: readonly SpecLines[]
  readonly title: string
  readonly example?: Example
}

/** Nothing where nobody acts on it. Without a step it is yet to be written. */
function buildScenario(
  placed: PlacedScenario,
  { document, titles, requirements, pickle, groups, place, lines, title, example }: ScenarioContext,
): readonly Scenario[] {
  const {
    scenario: { steps, name },
    context,
  } = placed
  const apart = {
    ...place,
    title: () => titles.ofScenario(example === undefined ? title : `${example.title}: ${title}`),
    stepTitle: () => titles.ofStep(title, groups.at(-1)),
    name,
    groups,
    about: context,
    checks: readChecks(steps, pickle),
    proves: requirements.provedBy(placed, lines.length > 0 ? lines : [place]),
    tags: toTags(pickle.tags),
    hasProse: steps.length > 0,
    lines,
    example,
  }
  const built = buildApart(apart, document)
  return built === undefined ? [] : [built]
}

/** With the name and description of the table. */
function headerOf({ location: { line } }: Examples, header: TableRow): SpecLines {
  return { line, endLine: header.location.line }
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
function readChecks(steps: readonly Step[], pickle: Pickle): readonly (Check & Place)[] {
  const filled = new Map(pickle.steps.map((step) => [step.astNodeIds[0], step]))
  let isOutcome = false
  const outcomes = steps.filter(({ keywordType }) => {
    if (keywordType === StepKeywordType.OUTCOME) isOutcome = true
    // `*` is of no type of its own.
    else if (keywordType === StepKeywordType.CONTEXT || keywordType === StepKeywordType.ACTION) isOutcome = false
    return isOutcome
  })
  return outcomes.map(({ id, text, location: { line, column = 1 } }, index) => {
    const step = filled.get(id)
    return { n: index + 1, line, column, text: (step === undefined ? text : textOf(step)) || 'It is so' }
  })
}

/** With its doc string and its table on the same line. */
function textOf({ text, argument: { dataTable, docString } = {} }: PickleStep): string {
  const rows = dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value).join(' | '))
  const parts = [
    ...(docString === undefined ? [] : [JSON.stringify(docString.content)]),
    ...(rows === undefined ? [] : [rows.join('; ')]),
  ]
  return parts.length === 0 ? text : `${text.replace(/:$/, '')}: ${parts.join(' and ')}`
}
