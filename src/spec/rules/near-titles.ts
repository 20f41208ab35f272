import { isNearly } from '../../system/text/did-you-mean.ts'
import { placeholdersIn, inlineText } from '../markdown/places.ts'
import { hookNameOf, isContextTitle } from '../sections/build-children.ts'
import { isExamples } from '../sections/build-examples.ts'
import { withChildren, type Section } from '../sections/build-sections.ts'
import type { Report } from './spec-rules.ts'

const ofHooks = ['Setup', 'Before', 'Teardown', 'After']
const ofContext = ['Notes', 'Background', 'Context', 'References']
const otherNames: ReadonlyMap<string, string> = new Map([
  ['cleanup', 'Teardown'],
  ['beforeeach', 'Setup'],
  ['beforeall', 'Setup'],
  ['aftereach', 'Teardown'],
  ['afterall', 'Teardown'],
])
/** Words of their own. */
const others = new Set(['content', 'alter', 'nodes'])

/**
 * Reports headings that are nearly one of those that are no steps.
 *
 * @param sections of one scenario, where those of hooks stand
 */
export function reportNearTitles(
  sections: readonly Section[],
  { text, report }: { text: string; report: Report },
): void {
  for (const section of withChildren(sections)) {
    const names = sections.includes(section) ? [...ofHooks, ...ofContext] : ofContext
    const isKnown = hookNameOf(section) !== undefined || isContextTitle(section.title) || isExamples(section)
    const name = isKnown ? undefined : nearName(section.title, names)
    if (name !== undefined) {
      const message = `This is a step like any other. Did you mean \`${name}\`? Else say what the step does.`
      report('near-miss', section, message)
    }
    for (const child of section.children) reportNearExamples(child, section, { text, report })
  }
}

function nearName(title: string, names: readonly string[]): string | undefined {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const allowed = ({ length }: string): number => (/[\s\d]/.test(title.trim()) ? 0 : length < 8 ? 1 : 2)
  const found = names.find((name) => isNearly(plain, name.toLowerCase(), allowed(name)))
  const other = otherNames.get(plain)
  return others.has(plain) ? undefined : (found ?? (other && names.includes(other) ? other : undefined))
}

/** A table whose columns the step uses. */
function reportNearExamples(
  section: Section,
  parent: Section,
  { text, report }: { readonly text: string; readonly report: Report },
): void {
  const table = section.nodes.find((node) => node.type === 'table')
  if (isExamples(section) || table === undefined || !/^ex\w*m\w*p/i.test(section.title)) return
  const columns = table.children[0]?.children.map((cell) => inlineText(cell)) ?? []
  const own = text
    .split('\n')
    .slice(parent.line - 1, section.line - 1)
    .join('\n')
  if (placeholdersIn(own, columns.filter(Boolean)).size === 0) return
  report('near-miss', section, 'The rows of this table would be no tests. Did you mean `Examples`?')
}
