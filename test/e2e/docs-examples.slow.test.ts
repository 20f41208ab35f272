import { readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root, trackedFiles } from '../repository/tracked-files.ts'
import { createProject, plainConfig } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'

// Every page is a spec, the way docs/readme-as-test.md tells it: a small spec includes it and runs it in a copy of a
// project. So each `sh`, `console`, `ts` and `js` block of a page runs, and other code is a problem, unless
// - it is a file (`file=notes.test.md`): the specs among these are listed or, without an agent, run, all in one project; or
// - the directive above it says why it cannot run: `<!-- mdtest: skip="starts an agent" -->`.
const pages = trackedFiles()
  .filter((file) => /^(?:README\.md|docs\/.*\.md)$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** Why a block of a page may not run. */
const reasons = [
  'is a part of a file',
  'needs a clone',
  'needs the network',
  'needs another tool',
  'starts an agent',
  'starts a browser',
  'does not end',
  'changes a repository',
  'runs specs of other folders',
]

const texts = Object.fromEntries(pages.map(({ file, text }) => [file, text]))
const specs = Object.fromEntries(pages.map(({ file }) => [specNameOf(file), specOf(file)]))

test('every block of the pages runs', async () => {
  const config = plainConfig.replace('mdtest()', 'mdtest({ blockTimeoutMs: 180_000 })')
  await using project = await createProject({ ...texts, ...specs, 'vitest.config.js': config })
  await mkdir(project.path('node_modules/.bin'))
  // Where the first hour is spent; it says how to install packages, which needs the network.
  await mkdir(project.path('first-hour'))
  await symlink('../node_modules', project.path('first-hour/node_modules'))
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

/** Files of the examples of a page, by name. */
const examplesOf = (text: string): readonly (readonly [name: string, content: string])[] =>
  [...text.matchAll(/^(`{3,})\w+ file=(\S+)\n([^]*?)^\1$/gm)].map(([, , name = '', content = '']) => [name, content])
const isSpec = (name: string): boolean => name.endsWith('.test.md')
const needsAgent = (content: string): boolean => !/^agent: none$/m.test(content)

test('every spec of the pages is one without problems, and runs where it needs no agent', async () => {
  const examples = pages.map(({ file, text }) => ({ folder: specNameOf(file), files: examplesOf(text) }))
  const toList = examples.flatMap(
    ({ folder, files }) => files.map(([name, content]) => [`${folder}/${name}`, content] as const), // pairs
  )
  const listed = toList.filter(([name]) => isSpec(name))
  // Each in the root, as on its page: what needs no agent has names of its own.
  const pagesToRun = examples.filter(({ files }) => files.some(([name, text]) => isSpec(name) && !needsAgent(text)))
  const toRun = pagesToRun.flatMap(({ files }) => files.filter(([name, text]) => !isSpec(name) || !needsAgent(text)))
  const ran = toRun.map(([name]) => name).filter(isSpec)
  expect([new Set(ran).size, ran.length > 10]).toEqual([ran.length, true])
  await using project = await createProject(Object.fromEntries([...toList, ...toRun]))
  await project.write('vitest.config.ts', plainConfig)
  const list = await project.mdtest(['list', ...listed.map(([name]) => name)])
  expect(list.exitCode, list.all).toBe(0)
  const { exitCode, all } = await project.mdtest(['run', '--pass-with-no-tests', ...ran])
  expect(exitCode, all).toBe(0)
})

test('few examples do not run', () => {
  const all = pages.map(({ text }) => text).join('\n')
  const leftOut = all.match(/^ *<!-- mdtest: skip="/gm) ?? []
  expect(leftOut.length).toBeLessThan(countExamples(all) / 2)
})

test('a page says of each block that does not run why', () => {
  for (const { file, text } of pages) {
    expect(text.match(/^ *(?:```|~~~)+ *\S+ .*\bskip\b.*$/gm) ?? [], file).toEqual([])
    const given = [...text.matchAll(/^ *<!-- mdtest: skip(?:="([^"]*)")? -->$/gm)].map(([, why = '']) => why)
    expect(
      given.filter((why) => !reasons.includes(why)),
      file,
    ).toEqual([])
  }
})

function specNameOf(page: string): string {
  return `pages/${page.replaceAll('/', '-').replace(/\.md$/, '')}.page.md`
}

/** A spec that includes a page. */
function specOf(page: string): string {
  const spec = `# ${basename(page)}\n\n## Ends well\n\n\`\`\`sh\ntrue\n\`\`\`\n`
  return `---\nagent: none\ncwd: copy\ninclude: [../${page}]\n---\n\n${spec}`
}

/** How many blocks of a page are neither left out nor text. */
function countExamples(text: string): number {
  const fences = [...text.matchAll(/(<!-- mdtest: skip="[^"]*" -->\n\s*)?^ *(`{3,})(\w+)[^\n]*\n[\s\S]*?^ *\2$/gm)]
  return fences.filter(([, directive, , language]) => directive === undefined && language !== 'text').length
}
