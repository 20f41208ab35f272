import { isNearly } from '../../../system/text/did-you-mean.ts'
import { StepKeywordType } from '@cucumber/messages'
import type { Feature, FeatureChild, Location, Pickle, PickleStep, PickleTag, Step, TableRow } from '@cucumber/messages'
import type { Example, Place, SpecLines } from '../../spec.ts'
import { ApartScenarios, type ApartScenario, type Judged } from '../scenarios-of-dialects.ts'
import { oneLine } from '../../markdown/positions-and-placeholders.ts'
import type { Fates } from '../../rules/readers-of-lines.ts'
import { outcomesIn, type ClauseKind } from '../clauses.ts'
import type { Dialect, DialectDocument } from '../dialect.ts'
import { firstLine, linesUpTo, placeScenarios, readFeature, type PlacedScenario } from './read-feature.ts'

/** Cucumber features: each scenario, and each row of an outline, becomes a scenario with one step. */
export const gherkinDialect: Dialect<'gherkin'> = {
  name: 'gherkin',
  ending: 'feature',
  takesContext: true,
  nameOf,
  build(document) {
    const apart = new ApartScenarios(document)
    const lines = cucumberLines(document)
    const read = readFeature(lines.join('\n'), document.report)
    document.fates.mark('known', 1, lines.length)
    if (read === undefined) return apart.built
    const { feature } = read
    const placed = placeScenarios(feature, lines)
    reportWithout(placed, document, feature.location)
    const pickles = new Map(read.pickles.map((pickle) => [pickle.astNodeIds.at(-1) ?? '', pickle]))
    for (const each of placed) {
      const { steps, name } = each.scenario
      const requirement = requirementOf(each.rule ?? feature)
      for (const { pickle, title, example, ...more } of casesOf(each, { lines, apart, pickles })) {
        apart.add({
          ...more,
          title: oneLine(example === undefined ? title : `${example.title}: ${title}`),
          stepTitle: oneLine(title),
          name,
          about: each.context,
          checks: readChecks(steps, pickle),
          whole: oneLine(pickle.steps.map(stepText).join(', ')),
          proves: [apart.state(requirement, each.context.slice(-1))],
          tags: toTags(pickle.tags),
          // A scenario without steps is a todo.
          hasProse: steps.length > 0,
          example,
        })
      }
    }
    for (const { rule } of feature.children) if (rule) apart.state(requirementOf(rule), [])
    markRead(feature, lines, document.fates)
    const title = document.frontMatter.title ?? feature.name
    return { ...apart.built, ...(title !== '' && { title }) }
  },
}

function requirementOf({ name, location }: Pick<Feature, 'name' | 'location'>): Place & { readonly title: string } {
  return { title: oneLine(name), ...toPlace(location) }
}

/** Front matter becomes empty lines, so that line numbers stay the same. */
function cucumberLines({ headLength, text }: DialectDocument): readonly string[] {
  return text.split('\n').map((line, index) => (index < headLength ? '' : line))
}

function reportWithout(placed: readonly PlacedScenario[], { report }: DialectDocument, location: Location): void {
  if (placed.length === 0) {
    const message = 'The feature has no scenario. Write `Scenario:` and a name, and below it steps such as `Then …`.'
    report('gherkin-scenario', toPlace(location), message)
  }
  for (const { scenario } of placed) {
    if (scenario.examples.length === 0 || scenario.examples.some(({ tableBody }) => tableBody.length > 0)) continue
    const message = `The outline "${scenario.name}" has no row below \`Examples\`, so there would be no test. Write a header, and a row for each test.`
    report('gherkin-scenario', toPlace(scenario.location), message)
  }
}

/** Marks all lines as read, except descriptions, so that a misspelt keyword in a description is reported. */
function markRead(feature: Feature, lines: readonly string[], fates: Fates): void {
  fates.mark('known', 1, lines.length)
  type Part = Pick<Feature, 'location' | 'description'>
  const partsOf = ({ rule, background, scenario }: FeatureChild): readonly Part[] => [
    ...[rule, background, scenario].flatMap((each) => each ?? []),
    ...(scenario?.examples ?? []),
    ...(rule?.children ?? []).flatMap(partsOf),
  ]
  for (const part of feature.language === 'en' ? [feature, ...feature.children.flatMap(partsOf)] : []) {
    const first = lines.findIndex((line, index) => index >= part.location.line && line.trim() !== '') + 1
    if (part.description !== '') fates.mark(undefined, first, first + part.description.split('\n').length - 1)
  }
}

function nameOf(line: string): string | undefined {
  const [, name = ''] = /^\s*(\p{L}+)(?:\s+(?:outline|template))?\s*(?::|\s\S)/iu.exec(line) ?? []
  return ['scenario', 'example', 'examples', 'background', 'rule'].find(
    (word) => name.toLowerCase() === word || (line.includes(':') && isNearly(name.toLowerCase(), word)),
  )
}

/** A scenario of the feature, or a row of an outline. */
interface Case extends Pick<ApartScenario, 'line' | 'column' | 'endLine' | 'title' | 'groups' | 'example'> {
  readonly lines: readonly SpecLines[]
  readonly pickle: Pickle
}

interface FeatureContext {
  readonly lines: readonly string[]
  readonly apart: ApartScenarios
  readonly pickles: ReadonlyMap<string, Pickle>
}

function casesOf(
  { scenario, endLine, rule, backgrounds }: PlacedScenario,
  { lines, apart, pickles }: FeatureContext,
): readonly Case[] {
  const ruleGroup = rule && apart.group({ ...toPlace(rule.location), title: oneLine(rule.name), endLine: rule.endLine })
  const groups = ruleGroup === undefined ? [] : [ruleGroup]
  const place = { ...toPlace(scenario.location), endLine }
  if (scenario.examples.length === 0) {
    const pickle = pickles.get(scenario.id)
    const ownLines = backgrounds.length === 0 ? [] : [...backgrounds, { line: place.line, endLine }]
    return pickle === undefined ? [] : [{ ...place, pickle, groups, lines: ownLines, title: pickle.name }]
  }
  const outline = apart.group({ ...place, title: oneLine(scenario.name) }, ruleGroup)
  const head = linesUpTo(Math.min(...scenario.examples.map(firstLine)), scenario.location, lines)
  return scenario.examples.flatMap(({ location, tableHeader: header, tableBody }) =>
    tableBody.flatMap((row): readonly Case[] => {
      const pickle = pickles.get(row.id)
      if (pickle === undefined || !header) return []
      const { line } = row.location
      const names = { line: location.line, endLine: header.location.line }
      return [
        {
          ...toPlace(row.location),
          endLine: line,
          pickle,
          groups: [...groups, outline],
          lines: [...backgrounds, head, names, { line, endLine: line }],
          title: pickle.name === scenario.name ? row.cells.map(({ value }) => value || '""').join(', ') : pickle.name,
          example: { title: outline.title, values: rowValues(header, row) },
        },
      ]
    }),
  )
}

/** If two columns have the same name, the first column counts, as in Cucumber. */
function rowValues(header: TableRow, row: TableRow): Example['values'] {
  const values = new Map<string, string>()
  for (const [index, { value: name }] of header.cells.entries()) {
    if (!values.has(name)) values.set(name, row.cells[index]?.value ?? '')
  }
  return Object.fromEntries(values)
}

function toPlace({ line, column = 1 }: Location): Place {
  return { line, column }
}

/** Unique tags without `@`. Signs that tag filters use become `-`: `@issue(12)` becomes `issue-12-`. */
function toTags(tags: readonly PickleTag[]): readonly string[] {
  return [...new Set(tags.map(({ name }) => name.replace(/^@/, '').replace(/[\s!*&|(),]/g, '-')))]
}

/** Checks of a scenario, without steps of the background. `pickle` has the steps with the values of a table row. */
function readChecks(steps: readonly Step[], pickle: Pickle): readonly Judged[] {
  const filled = new Map(pickle.steps.map((step) => [step.astNodeIds[0], step]))
  return outcomesIn(steps, kindOfStep).map(({ id, text, location: { line, column = 1 } }) => {
    const step = filled.get(id)
    return { line, column, text: step === undefined ? text : stepText(step) }
  })
}

/** The kind of a step. `*` is `more`, because it continues the step before it. */
function kindOfStep({ keywordType }: Step): ClauseKind {
  if (keywordType === StepKeywordType.OUTCOME) return 'outcome'
  return keywordType === StepKeywordType.CONTEXT || keywordType === StepKeywordType.ACTION ? 'other' : 'more'
}

function stepText({ text, argument: { dataTable, docString } = {} }: PickleStep): string {
  const rows = dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value).join(' | '))
  const parts = [docString && JSON.stringify(docString.content), rows?.join('; ')].filter((part) => part !== undefined)
  return parts.length === 0 ? text : `${text.replace(/:$/, '')}: ${parts.join(' and ')}`
}
