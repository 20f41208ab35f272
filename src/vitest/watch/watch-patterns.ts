import { compileGlob } from '../../system/files/match-glob.ts'

/** Of the front matter `watch`. */
export class WatchPatterns {
  readonly #specs = new Map<string, readonly string[]>()
  readonly #included = new Map<string, ReadonlySet<string>>()
  /** Specs share most of their patterns. */
  readonly #matchers = new Map<string, (path: string) => boolean>()

  set(spec: string, patterns: readonly string[]): void {
    if (patterns.length === 0) this.#specs.delete(spec)
    else this.#specs.set(spec, patterns)
  }

  setIncluded(spec: string, files: readonly string[]): void {
    this.#included.set(spec, new Set(files))
  }

  includersOf(file: string): readonly string[] {
    return [...this.#included].flatMap(([spec, files]) => (files.has(file) ? [spec] : []))
  }

  specsFor(path: string): readonly string[] {
    const matching = new Map<string, boolean>()
    const isMatch = (pattern: string): boolean => {
      const known = matching.get(pattern) ?? this.#matcherOf(pattern)(path)
      matching.set(pattern, known)
      return known
    }
    return [...this.#specs].flatMap(([spec, patterns]) => (patterns.some(isMatch) ? [spec] : []))
  }

  #matcherOf(pattern: string): (path: string) => boolean {
    const matcher = this.#matchers.get(pattern) ?? compileGlob(pattern)
    this.#matchers.set(pattern, matcher)
    return matcher
  }
}
