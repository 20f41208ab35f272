import { specsGlob } from '../../system/spec-endings.ts'

/** Files that are specs where nothing else is said, as globs relative to the suite root. */
export const defaultInclude: readonly string[] = ['**/*.test.md']

/** Any markdown, and features: what `mdtest run --agent browser` takes for specs where nothing else is said. */
export const plainInclude: readonly string[] = [specsGlob]

/** Any of these that has logs was a spec when it was run, whatever the options of that run were. */
export const whateverRan: readonly string[] = [...plainInclude]
