// What a user is told for each of many mistakes, on one page: fixtures/mistakes/messages.md. Read it as they do: each
// message says where, what, and what to do. MDTEST_UPDATE_FIXTURES=1 writes the page; read the diff. The files stand in
// test/support/mistakes.ts, and code frames are in vitest-run.test.ts.
import { symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { withoutLists } from '../support/without-lists.ts'
import { mistakes, takenPort, type Mistake } from '../support/mistakes.ts'

const page = new URL('../../fixtures/mistakes/messages.md', import.meta.url)
const isUpdate = process.env.MDTEST_UPDATE_FIXTURES === '1'
const env = { API_URL: 'http://127.0.0.1' }

const seen = new Map<string, string>()
let expected = new Map<string, string>()

// What Vitest puts around a message is that of version 4.
describe.skipIf(lane.vitestMajor !== 4)('a user is told what to do when', () => {
  beforeAll(async () => {
    expected = readPage(await readFile(page, 'utf8').catch(() => ''))
    await seeTogether(mistakes.filter(({ command }) => command === undefined))
    for (const mistake of mistakes.filter(({ command }) => command !== undefined)) await seeAlone(mistake)
  })

  afterAll(async () => {
    if (isUpdate) await writeFile(page, formatPage())
  })

  test.for(mistakes.map(({ title }) => title))('%s', (title) => {
    const text = seen.get(title) ?? ''
    // No stack of ours: it tells a user nothing.
    expect(text).not.toMatch(/^ +at .*(?:node_modules|node:internal)/m)
    if (!isUpdate) expect(text).toBe(expected.get(title))
  })
})

/** One run for all: what is said of each stands below its name. */
async function seeTogether(all: readonly Mistake[]): Promise<void> {
  await using project = await createProject({ 'vitest.config.js': plainConfig }, lane, 'shop')
  for (const mistake of all) write(project, mistake)
  // Whoever else has it will do.
  const server = createServer()
    .on('error', () => undefined)
    .listen(takenPort, '127.0.0.1')
  const { stdout, stderr } = await project.vitest(['run'], { env: { ...env, ...withoutAgents(project) } })
  server.close()
  const parts = `${stdout}\n${stderr}`.split(/^⎯+\[\d+\/\d+\]⎯+$/m)
  for (const { title, files } of all) {
    const [name = ''] = Object.keys(files)
    const found = parts.filter((part) => part.includes(`FAIL  |mdtest| ${name}`))
    const text = found.map((part) => part.slice(part.indexOf(' FAIL '))).join('\n')
    seen.set(title, normalize(text, project))
  }
}

async function seeAlone(mistake: Mistake): Promise<void> {
  await using project = await createProject({}, lane, 'shop')
  write(project, mistake)
  const [program, ...args] = mistake.command ?? ['mdtest']
  const { stdout, stderr, exitCode } = await project[program](args, {
    env: { ...env, ...withoutAgents(project), ...mistake.env },
  })
  const failed = / FAIL .*/s.exec(stdout)?.[0] ?? stdout
  seen.set(mistake.title, normalize(`${failed}\n${stderr}\nexit code ${exitCode}`, project))
}

/** A PATH on which there is no agent, whatever is installed beside Node.js. */
function withoutAgents(project: Project): { readonly PATH: string } {
  const bin = project.path('node_modules/.node')
  mkdirSync(bin, { recursive: true })
  symlinkSync(process.execPath, `${bin}/node`)
  return { PATH: [bin, '/usr/bin', '/bin'].join(':') }
}

function write(project: Project, { files }: Mistake): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(project.path(name)), { recursive: true })
    writeFileSync(project.path(name), content)
  }
}

/** Without what differs from run to run. */
function normalize(text: string, project: Project): string {
  return (
    withoutLists(text)
      .replaceAll(project.dir, '/home/ada/shop')
      .replaceAll(dirname(project.dir), '/home/ada')
      .replaceAll(/\/tmp\/mdtest-[0-9a-f]{16}/g, '/tmp/mdtest-0123456789abcdef')
      .replaceAll(/mdtest-[0-9a-f]{16}/g, 'mdtest-0123456789abcdef')
      .replaceAll(/^ +(?:Start at|Duration) .*\n/gm, '')
      .replaceAll(/\(last 20 of \d+ lines\)/g, '(last 20 of 1000 lines)')
      .replaceAll(/ \d+ms$/gm, ' 0ms')
      .replaceAll(/^( RUN +v\d+)\.\S+/gm, '$1')
      .replaceAll(/^ FAIL .*\n/gm, '')
      // Tests that took their time.
      .replaceAll(/^ {3,}✓ .* 0ms\n/gm, '')
      // Code frames.
      .replaceAll(/^ +(?:\d+ ?)?\|.*\n/gm, '')
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{2,}/g, '\n')
      .trim()
  )
}

function formatPage(): string {
  const parts = mistakes.map(({ title }, index) => `## ${index + 1}. ${title}\n\n~~~~text\n${seen.get(title)}\n~~~~\n`)
  const head = `# Mistakes, and what a user is told

Written by test/e2e/mistakes.test.ts. What is written and called stands in test/support/mistakes.ts.
`
  return [head, ...parts].join('\n')
}

/** What is said, by title. */
function readPage(text: string): Map<string, string> {
  const sections = text.split(/^## \d+\. /m).slice(1)
  return new Map(
    sections.map((section) => [
      section.slice(0, section.indexOf('\n')),
      section.split('~~~~text\n').at(-1)?.split('\n~~~~').at(0) ?? '',
    ]),
  )
}
