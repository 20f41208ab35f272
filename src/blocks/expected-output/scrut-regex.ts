import { parseBareRegex, type RegexSource } from './regex-source.ts'

/**
 * Checks a regular expression as scrut reads it: without grouping, so that in `a|b` the beginning of the line is bound
 * to `a` and its end to `b`, and with characters taken literally that could not mean anything else.
 */
export function parseScrutRegex(text: string): RegexSource {
  return parseBareRegex(escapeBrackets(escapeBraces(dropEscapes(text))))
}

/** A backslash before what is no letter and has no meaning: there are no back references. */
function dropEscapes(text: string): string {
  return text.replace(/\\([^])/gu, (token, character: string) =>
    /[[\]{}()|?*+\-.^$\\a-z]/i.test(character) ? token : character,
  )
}

/** All braces but those of `{n}` and `{n,m}`. */
function escapeBraces(text: string): string {
  return text.replace(/\\[^]|\{\d+(?:,\d+)?\}|[{}]/gu, (token) => (token.length === 1 ? `\\${token}` : token))
}

/** A class ends at the last `]` before the next `[`; all others are characters. */
function escapeBrackets(text: string): string {
  let isInClass = false
  return text.replace(/\\[^]|[[\]]/gu, (token, offset: number) => {
    if (token.length > 1) return token
    const wasInClass = isInClass
    if (token === '[') isInClass = true
    else if (isInClass) isInClass = isBracketAhead(text, offset + 1)
    const isClassEdge = wasInClass !== isInClass
    return isClassEdge ? token : `\\${token}`
  })
}

/** Whether a `]` comes before the next `[`. */
function isBracketAhead(text: string, from: number): boolean {
  const ahead = /(?:\\[^]|[^[\]\\])*\]/uy
  ahead.lastIndex = from
  return ahead.test(text)
}
