import { watchFiles } from './watch-session.ts'

/** A spec without an agent, with one block. */
export const spec = (title: string, block: string, frontMatter = ''): string =>
  `---\nagent: none\n${frontMatter}---\n\n# ${title}\n\n${block}\n`
export const fence = (language: string, ...lines: readonly string[]): string =>
  `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``

/** What an agent and a block write while they work is noticed before they end. */
const noticedMs = 1500

export const config = (options = ''): string => `import { mdtest } from 'vitest-mdtest'
const agent = { command: [process.execPath, 'agent.mjs', '{log}'] }
export default { plugins: [mdtest({ agent${options} })] }
`

/** A project that is watched: specs with and without an agent, and what they watch, include and import. */
export const watchedFiles = {
  ...watchFiles,
  'vitest.config.js': config(),
  // Counts its starts in a file that no spec watches, and changes one that the spec does.
  'agent.mjs': `import { appendFileSync, writeFileSync } from 'node:fs'
appendFileSync('agent.starts', 'x')
writeFileSync('made/by-agent.txt', String(Date.now()))
setTimeout(() => writeFileSync(process.argv[2], '---\\nstatus: pass\\n---\\n'), ${noticedMs})
`,
  'both.test.md': `---\nwatch: [made/, '*.logs/', 'reports/**']\n---\n\n# Prose\n\n${fence('sh verify', 'true')}\n\nLook around.\n\n# Code\n\n${fence('sh run', `date +%s%N > made/by-block.txt; sleep ${noticedMs / 1000}`)}\n`,
  'made/.gitkeep': '',
  'cat.test.md': spec('Cat', fence('console', '$ cat data/*', 'one'), 'watch: ["./data/**"]\n'),
  'data/one.txt': 'one\n',
  'inc.test.md': spec('Inc', fence('console', '$ echo own', 'own'), 'include: [shared/login.md, shared/late.md]\n'),
  'shared/login.md': `## Log in\n\n${fence('console', '$ echo in', 'in')}\n`,
  'ts.test.md': spec('Ts', fence('ts', `import { value } from './lib/outer.ts'`, 'expect(value).toBe(1)')),
  'lib/outer.ts': `export { value } from './inner.ts'\n`,
  'lib/inner.ts': 'export const value = 1\n',
  'plain.test.js': `import { test } from 'vitest'\nimport './data/one.txt?raw'\ntest('plain', () => {})\n`,
}

/** How a scenario ends whose agent nobody asked for. */
export const waitsFor = (why: string): RegExp => new RegExp(`^skipped: AGENT_ON_DEMAND: .*${why}`)
