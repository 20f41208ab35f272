/**
 * Both texts are relative paths with slashes. In a pattern, `*` matches any part of a name, and `?` one character.
 * `**` matches any number of folders, `{a,b}` matches `a` or `b`, and `src/` matches all files in `src`.
 */
export function matchGlob(path: string, pattern: string): boolean {
  const expressions =
    known.get(pattern) ?? expandBraces(pattern).map((each) => new RegExp(`^${expressionOf(each)}$`, 'su'))
  known.set(pattern, expressions)
  return expressions.some((expression) => expression.test(path))
}

/** Caches compiled patterns, because a run tests the same few patterns against thousands of files. */
const known = new Map<string, readonly RegExp[]>()

/** Braces are expanded only up to this many patterns, because each `{a,b}` doubles the number. */
const maxPatterns = 256

function expandBraces(pattern: string): readonly string[] {
  let patterns: readonly string[] = [pattern]
  for (;;) {
    const expanded = patterns.flatMap((each) => {
      const [braces, inner = ''] = /\{([^{}]*,[^{}]*)\}/.exec(each) ?? []
      return braces === undefined ? [each] : inner.split(',').map((part) => each.replace(braces, () => part))
    })
    if (expanded.length === patterns.length || expanded.length > maxPatterns) return patterns
    patterns = expanded
  }
}

function expressionOf(pattern: string): string {
  const plain = pattern.replace(/^(?:\.\/)+/, '')
  const names = (plain.endsWith('/') ? `${plain}**` : plain).split('/')
  // `**/**` means the same as `**` but would make the regular expression slow.
  const distinct = names.filter((name, index) => name !== '**' || names[index - 1] !== '**')
  return distinct
    .map((name, index) => {
      const isLast = index === distinct.length - 1
      if (name === '**') return isLast ? '.+' : '(?:[^/]+/)*'
      return isLast ? nameExpression(name) : `${nameExpression(name)}/`
    })
    .join('')
}

function nameExpression(name: string): string {
  return name.replace(/\*+|\?|[\\^$.|+()[\]{}/]/g, (special) => {
    if (special === '?') return '[^/]'
    return special.startsWith('*') ? '[^/]*' : `\\${special}`
  })
}
