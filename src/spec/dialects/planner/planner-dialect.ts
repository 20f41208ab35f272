import type { Place } from '../../spec.ts'
import type { Dialect, DialectDocument, DialectParts } from '../dialect.ts'
import { buildPlan, type Beginning } from './build-plan.ts'
import { isPlan, scenariosIn, seedOf, type PlannedScenario } from './read-plan.ts'

/** The longest seed file that an agent is told of, in characters. */
const maxSeedLength = 32 * 1024

/** Plans of Playwright's planner: each leaf heading is a scenario of its own, for an agent with a fresh browser. */
export const plannerDialect: Dialect<'planner'> = {
  name: 'planner',
  keys: {},
  recognise: isPlan,
  build(document) {
    const { outline, text, isAgentNone, languages, report, frontMatter } = document
    if (scenariosIn(outline.sections).length === 0 && outline.sections.length + outline.preamble.length > 0) {
      const message =
        'The plan has no scenario. Write a heading for each, such as `#### 1.1. Add a todo`, and below it `**Steps:**` with a numbered list.'
      report('planner-scenarios', outline.sections[0] ?? { line: 1, column: 1 }, message)
    }
    const own = document.readFiles(frontMatter.include, 'include')
    const seeds = new Map<string, Beginning>()
    const beginningOf = ({ section, above }: PlannedScenario): Beginning => {
      const path = [section, ...above.toReversed()].map(({ nodes }) => seedOf(nodes)).find((one) => one !== undefined)
      const seed = path === undefined ? nothing : (seeds.get(path) ?? readSeed(path, section, document))
      if (path !== undefined) seeds.set(path, seed)
      return { ...seed, included: [...own, ...seed.included] }
    }
    const scenarios = buildPlan({ outline, text, isAgentNone, languages, report, beginningOf })
    return {
      includes: [...own, ...[...seeds.values()].flatMap(({ included }) => included)].map(({ file }) => file),
      scenarios,
    }
  },
}

const nothing: Beginning = { included: [], told: [] }

/** Markdown is carried out; code of another runner is told. Of code that is not there the agent knows the name. */
function readSeed(path: string, place: Place, document: DialectDocument & DialectParts): Beginning {
  if (/\.md$/i.test(path)) {
    const spec = document.findSpec(path)
    if (spec !== undefined) return { included: [spec], told: [] }
    const message = `There is no seed \`${path}\`, neither in the folder of the plan nor in one above it in the suite root. Correct its path, or take it out.`
    document.report('planner-seed', place, message)
    return nothing
  }
  const found = /\.[cm]?[jt]sx?$/.test(path) ? document.findFile(path) : undefined
  if (found === undefined || found.text.length > maxSeedLength) return nothing
  return { included: [], told: [{ file: found.file, line: 1, endLine: found.text.split('\n').length }] }
}
