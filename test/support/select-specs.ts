/** Each step writes its name into `trace`. */
export const step = (name: string, directive = ''): string =>
  `## ${name}\n\n${directive === '' ? '' : `<!-- mdtest: ${directive} -->\n\n`}\`\`\`sh\necho "${name}" >> trace\n\`\`\`\n\n`

/** A spec of such steps. */
export const traceSpec = (title: string, ...steps: readonly string[]): string =>
  `---\nagent: none\n---\n\n# ${title}\n\n${steps.join('')}`

/** A spec whose steps write into `trace`, one of them with two rows. */
export const sums = `---
agent: none
---

# Sums

## Prepare

\`\`\`sh
echo prepare >> trace
\`\`\`

## Add <a>

Adds one.

\`\`\`sh
echo "add <a>" >> trace
\`\`\`

### Examples

| a   |
| --- |
| 1   |
| 20  |

## Report

\`\`\`sh
echo report >> trace
\`\`\`
`

/** Specs with tags in front matter, of a scenario, a step and an included step, and a test that is none. */
export const tagged: Readonly<Record<string, string>> = {
  'tags/a.test.md': traceSpec('A', step('One'), step('Two', 'tags=slow')).replace(
    '---\n',
    '---\ntags: [smoke]\ninclude: [shared.md]\n',
  ),
  'tags/b.test.md': traceSpec('B', '<!-- mdtest: tags=shop -->\n\n', step('Three')),
  'tags/shared.md': step('Shared', 'tags=db'),
  'tags/sum.test.js': `import { test } from 'vitest'\ntest('adds', () => {})\n`,
}
