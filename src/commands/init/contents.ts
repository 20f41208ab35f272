import { formatImport } from './imports.ts'
import { formatList, jest, type Runner } from './runners.ts'

/** A configuration that has the plugin and nothing else. */
export function newConfig(options: string): string {
  return `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'

export default defineConfig({
  plugins: [mdtest(${options})],
})
`
}

/** A configuration of Jest that has the specs beside its own tests. */
export function newJestConfig({ isModule }: { readonly isModule: boolean }, options: string): string {
  const start = isModule ? 'export default' : 'module.exports ='
  const line = formatImport({ packageName: jest.packageName, isRequire: !isModule })
  return `${line}\n\n${start} {\n  ${formatList(jest, `mdtest(${options})`)},\n}\n`
}

/** What somebody has to write where the form of a configuration is unknown. */
export function linesToAdd(
  runner: Runner,
  { isRequire, options }: { readonly isRequire: boolean; readonly options: string },
): string {
  const line = formatImport({ packageName: runner.packageName, isRequire })
  return `  ${line}\n\n  ${formatList(runner, `mdtest(${options})`)},`
}

export const exampleName = 'example.test.md'

/** A spec that needs no agent and passes wherever Vitest runs. */
export const exampleSpec = `---
agent: none
---

# Example

A heading without headings below it is one test. Here no agent acts: mdtest runs the code blocks, and text like this is
for readers. In a spec without \`agent: none\` a coding agent does what the text says: that needs Claude Code or Codex,
installed and logged in.

## Node.js adds numbers

\`\`\`console
$ node -p "1 + 2"
3
\`\`\`
`
