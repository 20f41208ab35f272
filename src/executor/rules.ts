/** One permission rule about commands, as Claude Code reads it. */
export interface Rule {
  /** As it was written, for messages: `Bash(npm run *)`. */
  readonly source: string
  /** Whether it allows every command: `Bash`, `Bash()`, `Bash(*)`. */
  readonly isForAll: boolean
  /** Whether it stands for one command to the letter. */
  readonly isExact: boolean
  /** Its text before the first `*`. */
  readonly literal: string
  readonly matches: (command: string) => boolean
}

/** The rules that speak of commands. Others (`Read(…)`, `mcp__…`) are left out. */
export function readRules(sources: readonly string[]): readonly Rule[] {
  return sources.flatMap((source) => {
    const [, content] = /^Bash(?:\(([\s\S]*)\))?$/.exec(source) ?? [undefined, null]
    if (content === null) return []
    const rule = readRule(source, content ?? '')
    // Blanks between words count as one, those in quotes as they are.
    const plain = readRule(source, (content ?? '').replaceAll(/\s+/g, ' '))
    return [{ ...rule, matches: (command) => rule.matches(command) || plain.matches(command) }]
  })
}

function readRule(source: string, content: string): Rule {
  if (content === '' || content === '*') {
    return { source, isForAll: true, isExact: false, literal: '', matches: () => true }
  }
  const rule = { source, isForAll: false }
  // The older form: a text, and behind it the end or a blank. A star before it means nothing.
  if (content.endsWith(':*')) {
    const literal = content.slice(0, -2)
    const isMeant = literal !== ''
    const matches = (command: string): boolean => isMeant && (command === literal || command.startsWith(`${literal} `))
    return { ...rule, isExact: false, literal: `${literal} `, matches }
  }
  const star = content.indexOf('*')
  if (star === -1) return { ...rule, isExact: true, literal: content, matches: (command) => command === content }
  const pieces = content.split(/\*+/)
  // One star, behind a blank and at the end: the program alone matches, too.
  const alone = pieces.length === 2 && content.endsWith(' *') ? content.slice(0, -2) : undefined
  const matches = (command: string): boolean => command === alone || holdsInOrder(command, pieces)
  return { ...rule, isExact: false, literal: content.slice(0, star), matches }
}

/** Whether a text is made of the pieces with anything between them. In linear time for each piece. */
function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces
  const last = others.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of others) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}

/** Words that a rule names to the letter: whole ones before its first `*`. */
export function literalWords({ literal, isExact }: Rule): readonly string[] {
  const words = literal.split(' ')
  // What a star may go on with is not the whole word.
  return (isExact ? words : words.slice(0, -1)).filter((word) => word !== '')
}
