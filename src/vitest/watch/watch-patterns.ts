import { matchGlob } from '../../system/files/match-glob.ts'

/** Knows which specs to rerun for a changed file: by `watch` in their front matter, and by their included files. */
export class WatchPatterns {
  readonly #specs = new Map<string, readonly string[]>()
  readonly #included = new Map<string, ReadonlySet<string>>()

  set(spec: string, patterns: readonly string[]): void {
    this.#specs.set(spec, patterns)
  }

  setIncluded(spec: string, files: readonly string[]): void {
    this.#included.set(spec, new Set(files))
  }

  /** Adds files that the spec used in its last run. A path that ends with a slash means all files in that folder. */
  addIncluded(spec: string, files: readonly string[]): void {
    this.setIncluded(spec, [...(this.#included.get(spec) ?? []), ...files])
  }

  includersOf(file: string): readonly string[] {
    const folder = file.replace(/[^/]*$/, '')
    return [...this.#included].flatMap(([spec, files]) => (files.has(file) || files.has(folder) ? [spec] : []))
  }

  specsFor(path: string): readonly string[] {
    return [...this.#specs].flatMap(([spec, patterns]) =>
      patterns.some((pattern) => matchGlob(path, pattern)) ? [spec] : [],
    )
  }
}
