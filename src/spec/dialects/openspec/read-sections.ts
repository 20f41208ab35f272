/** A heading of an OpenSpec file with all below it. OpenSpec reads lines, not markdown: so do we. Lines count from 1. */
export interface LineSection {
  readonly level: number
  /** As written. */
  readonly title: string
  readonly line: number
  /** Last line that is not blank, of the sections below it too. */
  readonly endLine: number
  /** Line of the first heading below it; `endLine + 1` where there is none. */
  readonly childLine: number
  readonly children: readonly LineSection[]
}

interface OpenSection extends LineSection {
  endLine: number
  hasHeading: boolean
  /** Whether a heading without a title, which begins no section, has ended it. */
  isCut: boolean
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
      end(last, endLine)
      open.pop()
    }
  }
  const end = (section: OpenSection, endLine: number): void => {
    if (section.isCut) return
    section.endLine = lastWritten(lines, endLine, section.line)
    if (!section.hasHeading) section.childLine = section.endLine + 1
    section.hasHeading = true
  }
  for (const [index, text] of lines.entries()) {
    const [, marks = '', title] = (fenced.has(index) ? null : /^(#{1,6})(?:\s+(.+)|\s)$/.exec(text)) ?? []
    if (marks === '') continue
    const line = index + 1
    const level = marks.length
    const parent = open.findLast((section) => section.level < level)
    if (parent?.hasHeading === false) {
      parent.childLine = line
      parent.hasHeading = true
    }
    if (title === undefined) {
      for (const section of open.filter((each) => each.level >= level)) {
        end(section, line - 1)
        section.isCut = true
      }
      continue
    }
    close(line - 1, (section) => section.level >= level)
    const section = {
      level,
      title: title.trim(),
      line,
      endLine: line,
      childLine: line + 1,
      hasHeading: false,
      isCut: false,
      children: [],
    }
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
