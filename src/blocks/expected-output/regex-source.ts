import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'

/** Source of a regular expression, for use in a longer expression; a message if the text is not valid. */
export type RegexSource =
  | { readonly ok: true; readonly source: string }
  | { readonly ok: false; readonly message: string }

/** With these flags `.` matches every character, and a character is a Unicode code point. */
export const regexFlags = 'su'

/** Checks a regular expression of a user. Any ASCII punctuation may be escaped, as in other dialects. */
export function parseRegex(text: string): RegexSource {
  const source = text.replace(/\\([^])/gu, (escape, character: string) =>
    /[ !"#%&',:;<=>@_`~-]/.test(character) ? `\\x${character.charCodeAt(0).toString(16)}` : escape,
  )
  try {
    // Compile before adding parentheses: `a)(b` is invalid, but `(?:a)(b)` would be valid.
    return { ok: true, source: `(?:${new RegExp(source, regexFlags).source})` }
  } catch (error: unknown) {
    return { ok: false, message: describeRegexError(error, text) }
  }
}

export function describeRegexError(error: unknown, text: string): string {
  const reason = error instanceof SyntaxError ? error.message.split(': ').at(-1) : String(error)
  const braces = /[{}]/.test(text) ? ' A brace that is part of the output is written `\\{` or `\\}`.' : ''
  return `\`${text}\` is no regular expression: ${reason}. Correct it.${braces}`
}

/**
 * The regular expression of a glob. Each `*` except the last keeps its first match, because a later one cannot help.
 * So matching takes at most length × length steps.
 */
export function globSource(glob: string): string {
  const [first = '', ...rest] = splitAtStars(glob)
  const last = rest.pop()
  const middle = rest.filter((part) => part !== '').map((part, index) => `(?=(.*?${part}))\\${index + 1}`)
  return `${first}${middle.join('')}${last === undefined ? '' : `.*${last}`}`
}

function splitAtStars(glob: string): readonly string[] {
  const parts = ['']
  for (const [token] of glob.matchAll(/\\[*?\\]|[^]/gu)) {
    if (token === '*') parts.push('')
    else {
      const literal = token.length === 2 && token.startsWith('\\') ? token.slice(1) : token
      parts.push(`${parts.pop()}${token === '?' ? '.' : quoteRegex(literal)}`)
    }
  }
  return parts
}
