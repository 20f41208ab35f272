import { readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from '../repository/tracked-files.ts'
import { createProject, plainConfig } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'

// Every page is a spec, the way docs/readme-as-test.md tells it: a small spec includes it and runs it in a copy of a
// project. So each `sh`, `console`, `ts` and `js` block of a page runs, and other code is a problem, unless
// - it is a file (`file=notes.test.md`): the specs among these are read by `mdtest list` or, without an agent, run; or
// - the directive above it says why it cannot run: `<!-- mdtest: skip="starts an agent" -->`.
const pages = trackedFiles()
  .filter((file) => /^(?:README\.md|docs\/.*\.md)$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** Why a block of a page may not run. */
const reasons = [
  'is a part of a file',
  'is a picture',
  'needs a clone',
  'needs the network',
  'needs another tool',
  'starts an agent',
  'does not end',
  'changes a repository',
  'runs specs of other folders',
]

const texts = Object.fromEntries(pages.map(({ file, text }) => [file, text]))
const specs = Object.fromEntries(pages.map(({ file, text }) => [specNameOf(file), specOf(file, text)]))

test('every example of the pages runs, or is a spec without problems', { timeout: 300_000 }, async () => {
  // On a busy machine a block that starts Vitest three times takes its time.
  const config = plainConfig.replace('mdtest()', 'mdtest({ blockTimeoutMs: 180_000 })')
  const files = { ...texts, ...specs, 'vitest.config.js': config }
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
  // What stands above the sections of a page runs with the first of them that runs. So one has to.
  const counts = [...all.matchAll(/ (pages\/\S+\.page\.md) \((\d+) tests \| (\d+) skipped\)/g)]
  const idle = counts.filter(([, , tests, skipped]) => Number(skipped) === Number(tests) - 1).map(([, spec]) => spec)
  expect(pages.filter(({ file, text }) => idle.includes(specNameOf(file)) && countExamples(text) > 0)).toEqual([])
})

test('few examples do not run', () => {
  const all = pages.map(({ text }) => text).join('\n')
  const leftOut = all.match(/^ *<!-- mdtest: skip="/gm) ?? []
  expect(leftOut.length).toBeLessThan(countExamples(all) / 2)
})

describe.each(pages)('$file', ({ text }) => {
  test('says of each block that does not run why', () => {
    expect(text.match(/^ *(?:```|~~~)+ *\S+ .*\bskip\b.*$/gm) ?? []).toEqual([])
    const given = [...text.matchAll(/^ *<!-- mdtest: skip(?:="([^"]*)")? -->$/gm)].map(([, why = '']) => why)
    expect(given.filter((why) => !reasons.includes(why))).toEqual([])
  })
})

function specNameOf(page: string): string {
  return `pages/${page.replaceAll('/', '-').replace(/\.md$/, '')}.page.md`
}

/** A spec that includes a page, then runs the specs that the page has written, or reads those for an agent. */
function specOf(page: string, text: string): string {
  const examples = [...text.matchAll(/^`{3,}\w+ file=(\S+\.test\.md)$/gm)].map(([, name = '']) => name)
  const isForAgent = (name: string): boolean => !/^(?:agent: none|dialect: scrut)$/m.test(exampleOf(name, text))
  const toList = examples.filter(isForAgent)
  const toRun = examples.filter((name) => !isForAgent(name) && !text.includes(`vitest-mdtest run ${name}`))
  return `---
agent: none
cwd: copy
include: [../${page}]
---

# ${basename(page)}

## The specs that it shows

\`\`\`sh timeout=2m
${toList.length === 0 ? 'true' : `npx vitest-mdtest list ${toList.join(' ')}`}
${toRun.length === 0 ? 'true' : `npx vitest-mdtest run --pass-with-no-tests ${toRun.join(' ')}`}
\`\`\`
`
}

function exampleOf(name: string, text: string): string {
  const [, rest = ''] = text.split(` file=${name}\n`)
  return rest.split(/^`{3,4}$/m)[0] ?? ''
}

/** How many blocks of a page are neither left out nor text. */
function countExamples(text: string): number {
  const fences = [...text.matchAll(/(<!-- mdtest: skip="[^"]*" -->\n\s*)?^ *(`{3,})(\w+)[^\n]*\n[\s\S]*?^ *\2$/gm)]
  return fences.filter(([, directive, , language]) => directive === undefined && language !== 'text').length
}
