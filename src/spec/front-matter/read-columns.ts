import type { TableCell } from 'mdast'

import { inlineText } from '../markdown/inline-text.ts'
import { placeOf } from '../markdown/place-of.ts'
import { placeholdersIn } from '../sections/placeholders.ts'
import type { Scope } from '../markdown/section-content.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Place } from '../spec.ts'

interface Column extends Place {
  readonly name: string
}

/**
 * Reads the header of a table under `Examples`. `undefined` where its names cannot tell the columns apart.
 *
 * @param template the step as written
 */
export function readColumns(
  header: readonly TableCell[],
  template: string,
  { text, report }: Pick<Scope, 'text' | 'report'>,
): readonly string[] | undefined {
  const columns = header.map((cell) => ({ name: inlineText(cell), ...placeOf(cell.children[0] ?? cell) }))
  const names = columns.map(({ name }) => name)
  if (!areDistinct(columns, report)) return undefined
  const used = placeholdersIn(template, names)
  for (const column of columns) {
    const { name } = column
    if (!used.has(name)) {
      const message = `The step does not use the column \`${name}\`. Write \`{{${name}}}\` or \`<${name}>\` in it, or take the column out.`
      report('examples-column', column, message)
    } else if (text.includes(`{{${name}:`)) {
      const message = `\`${name}\` is also a capture of this spec, so \`{{${name}}}\` could be either. Give the column another name.`
      report('examples-column', column, message)
    }
  }
  return names
}

function areDistinct(columns: readonly Column[], report: Report): boolean {
  const seen = new Set<string>()
  let isDistinct = true
  for (const column of columns) {
    const { name } = column
    if (name !== '' && !seen.has(name)) {
      seen.add(name)
      continue
    }
    isDistinct = false
    const what = name === '' ? 'A column has no name' : `Two columns are named \`${name}\``
    report('examples-column', column, `${what}. Give each column a name of its own, which the step uses.`)
  }
  return isDistinct
}
