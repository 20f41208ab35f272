import { isNearly } from '../../system/text/did-you-mean.ts'
import { inlineText, placeholdersIn } from '../markdown/places.ts'
import type { Section } from '../sections/build-sections.ts'

const namesOfContext = ['Notes', 'Background', 'Context', 'References']
const otherNames: Readonly<Record<string, string>> = {
  cleanup: 'Teardown',
  beforeeach: 'Setup',
  beforeall: 'Setup',
  aftereach: 'Teardown',
  afterall: 'Teardown',
}
/** Words of their own. */
const others = new Set(['content', 'alter', 'nodes'])

/** The name of a section without steps that the title of a step nearly is. @param mayBeHook whether it stands where hooks do */
export function nearName(title: string, mayBeHook: boolean): string | undefined {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  if (others.has(plain)) return undefined
  const names = mayBeHook ? ['Setup', 'Before', 'Teardown', 'After', ...namesOfContext] : namesOfContext
  const allowed = ({ length }: string): number => (/[\s\d]/.test(title.trim()) ? 0 : length < 8 ? 1 : 2)
  const found = names.find((name) => isNearly(plain, name.toLowerCase(), allowed(name)))
  return found ?? (mayBeHook && Object.hasOwn(otherNames, plain) ? otherNames[plain] : undefined)
}

/** Whether a section below a step has a title like `Examples`, and a table whose columns the step uses. */
export function isNearlyExamples({ title, nodes, line }: Section, step: Section, text: string): boolean {
  const table = nodes.find((node) => node.type === 'table')
  if (table === undefined || !/^ex\w*m\w*p/i.test(title)) return false
  const columns = table.children[0]?.children.map((cell) => inlineText(cell)) ?? []
  const own = text.split('\n').slice(step.line - 1, line - 1)
  return placeholdersIn(own.join('\n'), columns.filter(Boolean)).size > 0
}
