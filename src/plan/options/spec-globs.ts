import { specsGlob } from '../../system/spec-endings.ts'

export const defaultInclude: readonly string[] = ['**/*.test.md']

/** All markdown and feature files: the default of `include` for `mdtest run --agent browser`. */
export const plainInclude: readonly string[] = [specsGlob]

/** Files that may have been specs of an earlier run, whatever its `include` was. Those with logs were. */
export const whateverRan: readonly string[] = [...plainInclude]
