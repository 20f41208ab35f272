import { createTitleList } from '../../sections/build-sections.ts'
import type { ScenarioGroup, SpecLines } from '../../spec.ts'
import { buildApart, RequirementList } from '../apart.ts'
import type { Dialect } from '../dialect.ts'
import { changeOf } from '../places.ts'
import { readChecks } from './read-clauses.ts'
import {
  readRequirements,
  withoutClosing,
  type Requirement,
  readSections,
  type LineSection,
} from './read-requirements.ts'

/** Specs of OpenSpec: each scenario of a requirement is one of ours, of one step. */
export const openspecDialect: Dialect<'openspec'> = {
  name: 'openspec',
  takesContext: true,
  build(document) {
    const lines = document.text.split('\n')
    const change = changeOf(document.file)
    const sections = readSections(lines)
    const { requirements, context } = readRequirements(sections, {
      isOfChange: change !== undefined,
      lines,
      report: document.report,
    })
    const stated = new RequirementList(lines)
    const groupTitles = createTitleList()
    const titles = createTitleList()
    const scenarios = requirements.flatMap((requirement) => {
      const { line, endLine } = requirement.section
      const group: ScenarioGroup = { title: groupTitles.add(requirement.title), line, column: 1, endLine }
      const statement = linesOf(statementOf(requirement))
      const asked = stated.add({ title: group.title, line, column: 1 }, [statement])
      const known = createTitleList()
      const about = [...context.map(linesOf), statement]
      return requirement.scenarios.flatMap((section) => {
        const name = withoutClosing(section.title.replace(/^Scenario:\s*/i, ''))
        const scenario = {
          line: section.line,
          column: 1,
          endLine: section.endLine,
          title: () => titles.add(name),
          stepTitle: () => known.add(name),
          name,
          groups: [group],
          about,
          proves: stated.provedBy([section], [asked]),
          checks: readChecks(lines.slice(section.line, section.endLine), section.line + 1),
        }
        return buildApart(scenario, document) ?? []
      })
    })
    const heading = sections.find(({ level }) => level === 1)
    return {
      title: heading === undefined ? document.title : withoutClosing(heading.title),
      includes: document.context.files,
      scenarios: scenarios.map((scenario, index) => ({ ...scenario, ordinal: index + 1 })),
      requirements: stated.all,
      ...(change !== undefined && { change }),
    }
  },
}

function statementOf({ section }: Requirement): LineSection {
  return { ...section, endLine: section.childLine - 1 }
}

function linesOf({ line, endLine }: LineSection): SpecLines {
  return { line, endLine }
}
