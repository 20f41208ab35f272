/** A heading of an OpenSpec file with all below it. OpenSpec reads lines, not markdown: so do we. Lines count from 1. */
export interface LineSection {
  readonly level: number
  /** As written. */
  readonly title: string
  readonly line: number
  /** Last line that is not blank, of the sections below it too. */
  readonly endLine: number
  /** Line of the first section below it; `endLine + 1` where there is none. */
  readonly childLine: number
  readonly children: readonly LineSection[]
}

interface OpenSection extends LineSection {
  endLine: number
  childLine: number
  readonly children: OpenSection[]
}

/** Nests the headings of a text by their level. Lines in fences hold none. */
export function readSections(lines: readonly string[]): readonly LineSection[] {
  const fenced = fencedLines(lines)
  const sections: OpenSection[] = []
  const open: OpenSection[] = []
  const close = (endLine: number, isClosed: (section: OpenSection) => boolean): void => {
    for (let last = open.at(-1); last !== undefined && isClosed(last); last = open.at(-1)) {
      last.endLine = lastWritten(lines, endLine, last.line)
      if (last.children.length === 0) last.childLine = last.endLine + 1
      open.pop()
    }
  }
  for (const [index, text] of lines.entries()) {
    const [, marks = '', title = ''] = (fenced.has(index) ? null : /^(#{1,6})\s+(.+)$/.exec(text)) ?? []
    if (marks === '') continue
    const line = index + 1
    close(line - 1, ({ level }) => level >= marks.length)
    const parent = open.at(-1)
    const section = { level: marks.length, title: title.trim(), line, endLine: line, childLine: line + 1, children: [] }
    if (parent?.children.length === 0) parent.childLine = line
    ;(parent?.children ?? sections).push(section)
    open.push(section)
  }
  close(lines.length, () => true)
  return sections
}

/** Sections with all below them, in order. */
export function withSectionsBelow(sections: readonly LineSection[]): readonly LineSection[] {
  return sections.flatMap((section) => [section, ...withSectionsBelow(section.children)])
}

function lastWritten(lines: readonly string[], from: number, first: number): number {
  for (let line = from; line > first; line -= 1) if ((lines[line - 1] ?? '').trim() !== '') return line
  return first
}

/** Indexes of lines in fenced code, those of the fences included. One that nobody closes goes to the end. */
export function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fenced = new Set<number>()
  let fence: string | undefined
  for (const [index, line] of lines.entries()) {
    const [, marks = '', rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence === undefined) {
      if (marks === '') continue
      fence = marks
      fenced.add(index)
      continue
    }
    fenced.add(index)
    const closes = marks.startsWith(fence[0] ?? '') && marks.length >= fence.length && rest.trim() === ''
    if (marks !== '' && closes) fence = undefined
  }
  return fenced
}
