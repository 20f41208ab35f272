import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'
import { describeRegexError, parseRegex, regexFlags } from './regex-source.ts'
import type { LineProblem } from './output-lines.ts'

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'capture'; readonly name: string; readonly source: string; readonly index: number }
  | { readonly kind: 'recall'; readonly name: string; readonly index: number }

/** Matches `{{name}}`, `{{name:/` and the mistake `{{name:`. */
const opening = /\{\{([A-Za-z_]\w*)(\}\}|:\/?)|\{\{([^\s{}:]+):\//gu

/** Parses `{{name:/regex/}}` and `{{name}}`. Everything else is text, including other braces. */
export function parseTemplate(line: string): {
  readonly parts: readonly TemplatePart[]
  readonly problems: readonly LineProblem[]
} {
  const parts: TemplatePart[] = []
  const problems: LineProblem[] = []
  const lastClose = line.lastIndexOf(regexClose)
  let end = 0
  for (const { 0: whole, 1: name = '', 2: kind = '', 3: badName, index } of line.matchAll(opening)) {
    // Skip a match inside the regular expression of a capture.
    if (index < end) continue
    if (badName !== undefined && index > lastClose) continue
    if (badName !== undefined) {
      const message = `\`${badName}\` is no name for what is captured. Take letters, digits and \`_\`, or end a line that holds braces with \` (equal)\`.`
      return { parts: [], problems: [...problems, { index, message }] }
    }
    if (index > end) parts.push({ kind: 'text', text: line.slice(end, index) })
    const start = index + whole.length
    const regexEnd = kind === ':/' ? endOfRegex(line, start) : undefined
    if (kind !== '}}' && regexEnd === undefined) {
      const message = `\`{{${name}:\` begins no capture. Write \`{{${name}:/regex/}}\`, or \`(equal)\` at the end of a line that holds braces.`
      return { parts: [], problems: [...problems, { index, message }] }
    }
    end = regexEnd === undefined ? start : regexEnd + regexClose.length
    const part: TemplatePart | LineProblem =
      regexEnd === undefined ? { kind: 'recall', name, index } : readCapture(line.slice(start, regexEnd), name, index)
    if ('message' in part) problems.push(part)
    else parts.push(part)
  }
  if (end < line.length) parts.push({ kind: 'text', text: line.slice(end) })
  return { parts, problems: problems.length > 0 ? problems : findUncompiled(parts) }
}

const regexClose = '/}}'

function endOfRegex(line: string, start: number): number | undefined {
  for (let at = start; at < line.length; at += line[at] === '\\' ? 2 : 1) {
    if (line.startsWith(regexClose, at)) return at
  }
  return undefined
}

function readCapture(regex: string, name: string, index: number): TemplatePart | LineProblem {
  if (/\\(?:[1-9]|k<)/.test(regex.replaceAll('\\\\', ''))) {
    const message = `The regular expression of \`${name}\` refers back to a group; in a capture that is not possible. Write it out.`
    return { index, message }
  }
  const parsed = parseRegex(regex)
  return parsed.ok ? { kind: 'capture', name, source: parsed.source, index } : { index, message: parsed.message }
}

/** Compiles the whole template. This fails if a regular expression has a group named like a capture. */
function findUncompiled(parts: readonly TemplatePart[]): readonly LineProblem[] {
  const captures = parts.filter((part) => part.kind === 'capture')
  // Ignore names that are captured twice: the rule `duplicate-capture` reports them.
  if (new Set(captures.map(({ name }) => name)).size < captures.length) return []
  try {
    templateRegex(parts, () => '')
    return []
  } catch (error: unknown) {
    return [{ index: captures[0]?.index ?? 0, message: describeRegexError(error, captures.at(-1)?.source ?? '') }]
  }
}

/** Returns the regular expression of a template; `undefined` if a recalled name has no value. */
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

/** Variables that bash itself uses: see "Shell Variables" in its manual. */
const bashNames = String.raw`
  BASH\w* CDPATH CHILD_MAX COLUMNS COMP\w+ COPROC DIRSTACK EMACS ENV EPOCH\w+ EUID EXECIGNORE FCEDIT FIGNORE FUNCN\w+
  GLOB\w+ GROUPS HIST\w+ HOME HOSTFILE HOSTNAME HOSTTYPE IFS IGNOREEOF INPUTRC INSIDE_EMACS LANG LANGUAGE LC_\w+
  LINENO LINES MACHTYPE MAIL MAILCHECK MAILPATH MAPFILE OLDPWD OPT(?:ARG|ERR|IND) OSTYPE PATH PIPESTATUS
  POSIXLY_CORRECT PPID PROMPT_\w+ PS\d PWD RANDOM READLINE_\w+ REPLY SECONDS SHELL SHELLOPTS SHLVL SRANDOM TERM
  TEXTDOMAIN\w* TIMEFORMAT TMOUT UID auto_resume histchars`
const bashName = new RegExp(`^(?:_+|${bashNames.trim().split(/\s+/).join('|')})$`)

const otherName = /_proxy$|^(?:npm|pnpm|yarn|bun)_|^_+mdtest_|^TEST(?:DIR|ROOT)$|^(?:TMPDIR|TMP|TEMP)$/i

/** Whether a captured value may become this variable. A program's output must not control the shell. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !bashName.test(name) && !otherName.test(name)
}

export function describeTakenName(name: string): string | undefined {
  if (isVariableName(name)) return undefined
  const small = name.toLowerCase()
  const other = isVariableName(small) ? small : `my${small.replaceAll('_', '')}`
  return `\`${name}\` cannot be captured: it becomes a variable, and one of that name steers the shell or other programs. Call it \`${other}\`.`
}
