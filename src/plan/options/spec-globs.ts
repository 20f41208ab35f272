import { specsGlob } from '../../system/spec-endings.ts'

export const defaultInclude: readonly string[] = ['**/*.test.md']

/** All markdown and feature files: the default of `include` for `mdtest run --agent browser`. */
export const plainInclude: readonly string[] = [specsGlob]

/** Files that an earlier run may have read as specs, with any `include`. A file with logs was a spec. */
export const whateverRan: readonly string[] = [...plainInclude]
