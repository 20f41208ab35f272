/**
 * Whether a path matches a file pattern, as the front matter's `writes` has them. Both are relative, with slashes.
 *
 * `*` is any part of a name, `?` one character of it, `**` as a whole name any number of folders, `{a,b}` one of
 * several, a slash at the end all that is in a folder. Names that begin with a dot match like others. Everything else
 * is taken to the letter, so a pattern in another notation matches too little, never too much.
 */
export function matchGlob(path: string, pattern: string): boolean {
  const expressions =
    known.get(pattern) ?? expandBraces(pattern).map((each) => new RegExp(`^${expressionOf(each)}$`, 'su'))
  known.set(pattern, expressions)
  return expressions.some((expression) => expression.test(path))
}

export function compileGlob(pattern: string): (path: string) => boolean {
  return (path) => matchGlob(path, pattern)
}

/** A run has thousands of files and a handful of patterns. */
const known = new Map<string, readonly RegExp[]>()

/** Each pair of braces doubles the patterns at least; nobody means more than this. */
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
  // Two in a row mean the same as one, and would make the search slow.
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
