/** Files that are specs where nothing else is said, as globs relative to the suite root. */
export const defaultInclude: readonly string[] = ['**/*.test.md']

/** Any markdown: what `mdtest run --agent browser` takes for specs where nothing else is said. */
export const plainInclude: readonly string[] = ['**/*.{md,MD,Md,mD}']

/** Any markdown that has logs was a spec when it was run, whatever the options of that run were. */
export const whateverRan: readonly string[] = [...plainInclude]
