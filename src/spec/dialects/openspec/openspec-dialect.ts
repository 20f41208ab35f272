import { buildStep, createOrdinals } from '../../sections/build-step.ts'
import { createTitleList } from '../../sections/unique-titles.ts'
import type { Scenario, ScenarioGroup, SpecLines } from '../../spec.ts'
import type { Dialect, DialectDocument, DialectParts } from '../dialect.ts'
import { readChecks } from './read-clauses.ts'
import { readRequirements, withoutClosing, type Requirement } from './read-requirements.ts'
import type { LineSection } from './read-sections.ts'

/** Specs of OpenSpec: each scenario of a requirement is one of ours, of one step. */
export const openspecDialect: Dialect<'openspec'> = {
  name: 'openspec',
  keys: {},
  build(document) {
    const lines = document.text.split('\n')
    const { requirements, context } = readRequirements(lines, {
      isOfChange: /[\\/]changes[\\/][^\\/]+[\\/]specs[\\/]/.test(document.file),
      report: document.report,
    })
    const groupTitles = createTitleList()
    const titles = createTitleList()
    const scenarios = requirements.flatMap((requirement) => {
      const { line, endLine } = requirement.section
      const group: ScenarioGroup = { title: groupTitles.add(requirement.title), line, column: 1, endLine }
      const known = createTitleList()
      const about = [...context, statementOf(requirement)].map(linesOf)
      return requirement.scenarios.flatMap((section) => {
        const title = withoutClosing(section.title.replace(/^Scenario:\s*/i, ''))
        const names = { title: titles.add(title), stepTitle: known.add(title) }
        return buildScenario(section, { document, lines, group, about, ...names }) ?? []
      })
    })
    return { includes: [], scenarios: scenarios.map((scenario, index) => ({ ...scenario, ordinal: index + 1 })) }
  },
}

interface ScenarioContext {
  readonly document: DialectDocument & DialectParts
  readonly lines: readonly string[]
  readonly group: ScenarioGroup
  /** What its agent has to know besides. */
  readonly about: readonly SpecLines[]
  /** Unique in the file. */
  readonly title: string
  /** Unique in the requirement. */
  readonly stepTitle: string
}

/** `undefined` where nobody acts on it. */
function buildScenario(
  { line, endLine }: LineSection,
  { document, lines, group, about, title, stepTitle }: ScenarioContext,
): Scenario | undefined {
  const { isAgentNone, text, languages, report } = document
  const place = { line, column: 1, endLine }
  const content = {
    directives: {},
    words: [],
    blocks: [],
    hasProse: true,
    hasLeftOut: false,
    isAgentNone,
    isSkipped: false,
    checks: isAgentNone ? [] : readChecks(lines.slice(line, endLine), line + 1),
  }
  const scope = { text, languages, report, isAgentNone, nextOrdinal: createOrdinals() }
  const step = buildStep(content, { ...place, title: () => stepTitle }, scope)
  if (step === undefined) return undefined
  return {
    ordinal: 1,
    title,
    ...place,
    groups: [group],
    directives: {},
    hasDescribe: false,
    isApart: true,
    preambles: about,
    blocks: [],
    children: [step],
  }
}

/** What a requirement says before its scenarios. */
function statementOf({ section }: Requirement): LineSection {
  return { ...section, endLine: section.childLine - 1 }
}

function linesOf({ line, endLine }: LineSection): SpecLines {
  return { line, endLine }
}
