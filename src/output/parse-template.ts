import { type LineProblem } from './line-problem.ts'
import { describeRegexError, parseRegex, quoteRegex, regexFlags } from './regex-source.ts'

/** A piece of a line that captures or recalls. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'capture'; readonly name: string; readonly source: string; readonly index: number }
  | { readonly kind: 'recall'; readonly name: string; readonly index: number }

export interface Template {
  /** Nothing but text where the line neither captures nor recalls. */
  readonly parts: readonly TemplatePart[]
  readonly problems: readonly LineProblem[]
}

/** `{{name:/regex/}}` or `{{name}}`; in the regex `/}}` is written `\/}}`. */
const placeholder = /\{\{([A-Za-z_]\w*)(?::\/((?:[^\\]|\\.){0,1000}?)\/)?\}\}/gu

/** Reads the captures and recalls of a line. Any other braces are text. */
export function parseTemplate(line: string): Template {
  const parts: TemplatePart[] = []
  const problems: LineProblem[] = []
  let end = 0
  for (const { 0: whole, 1: name = '', 2: regex, index } of line.matchAll(placeholder)) {
    if (index > end) parts.push({ kind: 'text', text: line.slice(end, index) })
    end = index + whole.length
    const part = readPart({ name, regex, index })
    if (part.kind === 'bad') problems.push(part.problem)
    else parts.push(part)
  }
  if (end < line.length) parts.push({ kind: 'text', text: line.slice(end) })
  problems.push(...findHalfWritten(line))
  if (problems.length === 0) problems.push(...findUncompiled(parts))
  return { parts, problems }
}

interface Placeholder {
  readonly name: string
  readonly regex: string | undefined
  readonly index: number
}

function readPart({
  name,
  regex,
  index,
}: Placeholder): Exclude<TemplatePart, { kind: 'text' }> | { readonly kind: 'bad'; readonly problem: LineProblem } {
  if (regex === undefined) return { kind: 'recall', name, index }
  if (/^(?:[^\\]|\\[^])*?\\(?:[1-9]|k<)/u.test(regex)) {
    const message = `The regular expression of \`${name}\` refers back to a group; in a capture that is not possible. Write it out.`
    return { kind: 'bad', problem: { index, message } }
  }
  const parsed = parseRegex(regex)
  if (!parsed.ok) return { kind: 'bad', problem: { index, message: parsed.message } }
  return { kind: 'capture', name, source: parsed.source, index }
}

/** `{{name:` that is no capture was meant to be one. */
function findHalfWritten(line: string): readonly LineProblem[] {
  const match = /\{\{([A-Za-z_]\w*):/.exec(line.replace(placeholder, (whole) => ' '.repeat(whole.length)))
  if (match === null) return []
  const message = `\`{{${match[1]}:\` begins no capture. Write \`{{${match[1]}:/regex/}}\`, or \`(equal)\` at the end of a line that holds braces.`
  return [{ index: match.index, message }]
}

/** Groups of the user's own may clash with each other. */
function findUncompiled(parts: readonly TemplatePart[]): readonly LineProblem[] {
  const names = parts.flatMap((part) => (part.kind === 'capture' ? [part] : []))
  const twice = names.find(({ name }, at) => names.findIndex((other) => other.name === name) < at)
  if (twice !== undefined) return [] // Told by whoever looks at the whole block.
  try {
    templateRegex(parts, () => '')
    return []
  } catch (error: unknown) {
    return [{ index: names[0]?.index ?? 0, message: describeRegexError(error, names.at(-1)?.source ?? '') }]
  }
}

/** Undefined where a recalled name has no value. */
export function templateRegex(
  parts: readonly TemplatePart[],
  valueOf: (name: string) => string | undefined,
): RegExp | undefined {
  const captured = new Set<string>()
  let source = ''
  for (const part of parts) {
    if (part.kind === 'text') source += quoteRegex(part.text)
    else if (part.kind === 'capture') {
      captured.add(part.name)
      source += `(?<${part.name}>${part.source})`
    } else if (captured.has(part.name)) source += `\\k<${part.name}>`
    else {
      const value = valueOf(part.name)
      if (value === undefined) return undefined
      source += quoteRegex(value)
    }
  }
  return new RegExp(`^${source}$`, regexFlags)
}
