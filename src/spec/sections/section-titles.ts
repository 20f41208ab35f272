import { isNearly } from '../../system/text/did-you-mean.ts'
import { inlineText, placeholdersIn } from '../markdown/positions-and-placeholders.ts'
import type { Section } from './build-sections.ts'

export type HookName = 'setup' | 'teardown'

export function hookNameOf({ title }: Section): HookName | undefined {
  if (/^(?:setup|before)$/i.test(title)) return 'setup'
  return /^(?:teardown|after)$/i.test(title) ? 'teardown' : undefined
}

const contextNames = ['Notes', 'Background', 'Context', 'References']

/** Whether a title, such as `Notes`, begins context: an agent reads it, but it is no step. */
export function isContextTitle(title: string): boolean {
  return contextNames.some((name) => name.toLowerCase() === title.toLowerCase())
}

/** Words that look like misspelt `Context`, `After` and `Notes`, but are ordinary titles. */
const similarWords = new Set(['content', 'alter', 'nodes'])

/** The section name that a title such as `1. Note` probably means. @param mayBeHook also looks for `Setup` etc. */
export function nearName(title: string, mayBeHook: boolean): string | undefined {
  const named = title.replace(/^\s*\d+(?:[.)]\d*)+\s+|(?<=\S)\s*\{[#.][^{}]*\}\s*$/g, '')
  const letters = named.toLowerCase().replace(/[^\p{L}\p{N}]|(?:each|all)$/gu, '')
  const plain = letters === 'cleanup' ? 'teardown' : letters
  if (similarWords.has(plain)) return undefined
  const names = mayBeHook ? ['Setup', 'Before', 'Teardown', 'After', ...contextNames] : contextNames
  const allowed = ({ length }: string): number => (/[\s\d]/.test(named.trim()) ? 0 : length < 8 ? 1 : 2)
  return names.find((name) => isNearly(plain, name.toLowerCase(), allowed(name)))
}

/** Whether a section below a step has a title like `Examples`, and a table whose columns the step uses. */
export function isNearlyExamples({ title, nodes, line }: Section, step: Section, text: string): boolean {
  const table = nodes.find((node) => node.type === 'table')
  if (table === undefined || !/^ex\w*m\w*p/i.test(title)) return false
  const columns = table.children[0]?.children.map((cell) => inlineText(cell)) ?? []
  const own = text.split('\n').slice(step.line - 1, line - 1)
  return placeholdersIn(own.join('\n'), columns.filter(Boolean)).size > 0
}
