/** A configuration that has the plugin and nothing else. */
export const newConfig = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'

export default defineConfig({
  plugins: [mdtest()],
})
`

/** What somebody has to write where the form of a configuration is unknown. */
export const linesToAdd = `  import { mdtest } from 'vitest-mdtest'

  plugins: [mdtest()],`

export const exampleName = 'example.test.md'

/** A spec that needs no agent and passes wherever Vitest runs. */
export const exampleSpec = `---
agent: none
---

# Example

A heading without headings below it is one test. Without an agent mdtest runs the code blocks, and text like this is for
readers. Take \`agent: none\` away, and Claude Code or Codex does what the text says.

## Node.js adds numbers

\`\`\`console
$ node -p "1 + 2"
3
\`\`\`
`
