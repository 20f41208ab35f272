import { specsGlob } from '../../system/spec-endings.ts'

export const defaultInclude: readonly string[] = ['**/*.test.md']

/** All markdown and feature files: the default of `include` for `mdtest run --agent browser`. */
export const plainInclude: readonly string[] = [specsGlob]

/** All files that an earlier run may have read as specs, whatever its `include` was. */
export const whateverRan: readonly string[] = [...plainInclude]
