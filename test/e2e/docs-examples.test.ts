import { readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from '../repository/tracked-files.ts'
import { createProject, plainConfig } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'

// Every page is a spec, the way docs/readme-as-test.md tells it: a small spec includes it and runs it in a copy of a
// project. So each `sh`, `console`, `ts` and `js` block of a page runs, and other code is a problem, unless
// - it is a file (`file=notes.test.md`): the specs among these are read by `mdtest list` and, without an agent, run; or
// - the directive above it says why it cannot run: `<!-- mdtest: skip="starts an agent" -->`.
const pages = trackedFiles()
  .filter((file) =>
    /^docs\/(?:front-matter|blocks|expected-output|code|tables|vs-code|watch|writing-specs)\.md$/.test(file),
  )
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** Why a block of a page may not run. */
const reasons = [
  'is output or a part of a file',
  'needs the network',
  'needs another tool',
  'starts an agent',
  'does not end',
  'changes a repository',
]

const texts = Object.fromEntries(pages.map(({ file, text }) => [file, text]))
const specs = Object.fromEntries(pages.map(({ file, text }) => [specNameOf(file), specOf(file, text)]))

test('every example of the pages runs, or is a spec without problems', { timeout: 300_000 }, async () => {
  const files = { ...texts, ...specs, 'vitest.config.js': plainConfig }
  await using project = await createProject(files)
  await mkdir(project.path('node_modules/.bin'))
  for (const [name, target] of Object.entries({
    vitest: 'vitest/vitest.mjs',
    mdtest: 'vitest-mdtest/dist/bin.js',
    'vitest-mdtest': 'vitest-mdtest/dist/bin.js',
  })) {
    await symlink(`../${target}`, project.path(`node_modules/.bin/${name}`))
  }
  const PATH = `${dirname(lane.node)}:${process.env.PATH}`
  const args = ['run', '--include', 'pages/*.page.md', '--concurrency', '2']
  const { exitCode, all } = await project.mdtest(args, { env: { PATH }, timeoutMs: 290_000 })
  expect(exitCode, all).toBe(0)
  expect(all).toContain(`${pages.length} passed, 0 failed`)
})

describe.each(pages)('$file', ({ text }) => {
  test('says of each block that does not run why', () => {
    expect(text.match(/^ *(?:```|~~~)+ *\S+ .*\bskip\b.*$/gm) ?? []).toEqual([])
    const given = [...text.matchAll(/^<!-- mdtest: skip(?:="([^"]*)")? -->$/gm)].map(([, why = '']) => why)
    expect(given.filter((why) => !reasons.includes(why))).toEqual([])
  })
})

function specNameOf(page: string): string {
  return `pages/${page.replaceAll('/', '-').replace(/\.md$/, '')}.page.md`
}

/** A spec that includes a page, and then reads and runs the specs that the page has written. */
function specOf(page: string, text: string): string {
  const examples = [...text.matchAll(/^`{3,}\w+ file=(\S+\.test\.md)$/gm)].map(([, name = '']) => name)
  const list = examples.length === 0 ? 'true' : `npx vitest-mdtest list ${examples.join(' ')}`
  const isRun = (name: string): boolean => /^(?:agent: none|dialect: scrut)$/m.test(exampleOf(name, text))
  const run = examples.some(isRun) ? `npx vitest-mdtest run ${examples.filter(isRun).join(' ')}` : 'true'
  return `---
agent: none
cwd: copy
include: [../${page}]
---

# ${basename(page)}

## The specs that it shows

\`\`\`sh timeout=2m
${list}
${run}
\`\`\`
`
}

function exampleOf(name: string, text: string): string {
  const [, rest = ''] = text.split(` file=${name}\n`)
  return rest.split(/^````$/m)[0] ?? ''
}
