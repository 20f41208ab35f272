import type { Paragraph, PhrasingContent } from 'mdast'

/** What stands below a label such as `**Steps:**`. */
export type LabelKind = 'steps' | 'expected' | 'seed' | 'other'

/** A line of a plan that begins with a label. */
export interface Label {
  readonly kind: LabelKind
  /** What follows the label on its line. */
  readonly rest: string
}

const kinds: readonly (readonly [kind: LabelKind, names: RegExp])[] = [
  ['steps', /^(?:test )?steps(?: to (?:reproduce|follow|execute))?$/],
  [
    'expected',
    /^(?:expect|expects|expected(?: (?:results?|outcomes?|behaviou?rs?))?|post-?conditions?|success criteria|verify|verification|assertions?|acceptance criteria)$/,
  ],
  ['seed', /^seed(?: (?:file|test))?$/],
]

/** What a heading or a label of this name stands for. */
export function kindOfName(name: string): LabelKind {
  const plain = name
    .toLowerCase()
    .replace(/\s*:\s*$/, '')
    .replace(/post condition/, 'postcondition')
    .trim()
  return kinds.find(([, names]) => names.test(plain))?.[0] ?? 'other'
}

/** The label at the beginning of a line; without a colon it has to be bold, and so has one of any other name. */
export function labelOf({ text, isBold }: TextLine): Label | undefined {
  const match = /^([\p{L}][\p{L} /-]{0,40}?)\s*(?::\s*(.*)|$)/u.exec(text)
  if (match === null) return undefined
  const [, name = '', rest] = match
  const kind = kindOfName(name)
  if (!isBold && (kind === 'other' || rest === undefined)) return undefined
  return { kind, rest: rest ?? '' }
}

/** A line of a paragraph, inline markdown stripped. */
export interface TextLine {
  /** In the file. */
  readonly line: number
  readonly text: string
  /** It begins with a bold word. */
  readonly isBold: boolean
}

/** The lines of a paragraph. */
export function linesOf({ children, position }: Paragraph): readonly TextLine[] {
  const first = position?.start.line ?? 1
  const lines = [{ text: '', isBold: false }]
  for (const node of children) {
    const [rest = '', ...more] = textOf(node).split('\n')
    const last = lines.at(-1) ?? { text: '', isBold: false }
    lines.splice(-1, 1, {
      text: last.text + rest,
      isBold: last.isBold || (last.text.trim() === '' && node.type === 'strong'),
    })
    lines.push(...more.map((text) => ({ text, isBold: false })))
  }
  return lines.map(({ text, isBold }, index) => ({
    line: first + index,
    // Playwright writes `- expect:` too far to the left for a list in its step: for markdown it is text of the step.
    text: text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^[-*+] /, ''),
    isBold,
  }))
}

function textOf(node: PhrasingContent): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'html') return ''
  if (node.type === 'text') return node.value
  if ('value' in node) return node.value.replaceAll('\n', ' ')
  if ('alt' in node) return node.alt ?? ''
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
