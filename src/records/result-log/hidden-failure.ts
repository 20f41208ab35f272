/** A `status` that is no pass, at a place where nobody looks for one. */
export interface HiddenFailure {
  readonly path: readonly PropertyKey[]
  readonly status: string
}

const failures: ReadonlySet<string> = new Set(['fail', 'failed', 'failure', 'blocked', 'skipped'])

/**
 * Finds a failure in front matter that passes as a whole and has no `steps` list, for example under `results`. With a
 * list the rest is the agent's own affair: it may tell of earlier attempts.
 */
export function findHiddenFailure(frontMatter: unknown): HiddenFailure | undefined {
  if (!isObject(frontMatter) || Reflect.get(frontMatter, 'status') !== 'pass' || 'steps' in frontMatter)
    return undefined
  return search(frontMatter, [])
}

function search(value: unknown, path: readonly PropertyKey[]): HiddenFailure | undefined {
  if (!isObject(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const place = [...path, Array.isArray(value) ? Number(key) : key]
    if (key === 'status' && typeof inner === 'string' && failures.has(inner.toLowerCase()))
      return { path: place, status: inner }
    const found = search(inner, place)
    if (found !== undefined) return found
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
