import type { JournalEntry } from '../../records/journal/journal.ts'

/** What Playwright's snapshots say of an element for tools alone. */
const marks = /(?: \[active\])? ?\[(?:ref=(?:f\d+)?e\d+|cursor=\w+)\]/g

/** Text of a page as a reader wants it: without the marks by which tools find elements. */
export function withoutMarks(text: string): string {
  return text.replaceAll(marks, '')
}

/** What a browser tool gave: of several headers of the page the last, no marks, no paths of files. */
export function shownOutput({ excerpt }: Pick<JournalEntry, 'excerpt'>): string {
  return withoutMarks(excerpt)
    .replaceAll(/^### Page\n(?:- .*\n)*(?=### Page$)/gm, '')
    .replaceAll(/^- New console entries: .*\n?/gm, '')
    .replaceAll(/^### Events\n(?=###|$(?![^]))/gm, '')
    .trimEnd()
}

/** `browser_click {"element":"Apply","target":"e4"}` → `click Apply`; a title of another form as it is, without marks. */
export function shownTitle({ title }: Pick<JournalEntry, 'title'>): string {
  const [, tool, json = ''] = /^(?:mcp__\w+?__)?(?:browser_)?(\w+) (\{.*\})$/s.exec(title) ?? []
  const input = tool === undefined ? undefined : parsed(json)
  if (tool === undefined || input === undefined) return withoutMarks(title)
  // What it reports stands at the step.
  if (tool === 'report_step') return `report_step ${String(input['status'] ?? '')}`.trim()
  const { element, target: _target, ref: _ref, ...rest } = input
  const values = Object.entries(rest).flatMap(([name, value]) => shownValue(name, value))
  return [tool.replaceAll('_', ' '), ...(typeof element === 'string' ? [element] : []), ...values].join(' ')
}

/** Addresses and switches by themselves, other values behind their names. */
function shownValue(name: string, value: unknown): readonly string[] {
  if (value === false || value === undefined || value === null) return []
  if (value === true) return [name]
  if (name === 'url' && typeof value === 'string') return [value]
  return [typeof value === 'string' ? `“${value}”` : `${name} ${JSON.stringify(value)}`]
}

function parsed(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    // Cut in the middle.
    return undefined
  }
}
