import { describe, expect, test } from 'vitest'
import { findSandbox } from '../../src/hands/sandbox/bubblewrap.ts'
import { filesWith } from '../support/files-with.ts'
import { freePort } from '../support/free-port.ts'
import { verdictsOf } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { handsSpecs, shop, type HandsSpec } from './hands-specs.ts'
import { rightProgram } from './notes-project.ts'
import { claude, codex, codexCodeMode, createRealProject, sampleOf, skipReason } from './real-project.ts'
import { playActs } from './recorded/play-acts.ts'
import { lineWith, sh, specOf, type RecordedScenario } from './recorded/scenario.ts'

const { ok: isConfinable } = await findSandbox(process.env)

interface Run {
  readonly name: string
  readonly spec: HandsSpec
  readonly isRight: boolean
}

/** A product right or broken, with its spec, which mdtest executes, in a sandbox or without. */
function filesOf({ name, spec, isRight }: Run): object {
  const { files, allow, body, bug } = spec
  const sandbox = isConfinable && isRight ? 'require' : 'off'
  const head = `cwd: specs/${name}\nallow: ['${allow}']\nhands: { mode: mdtest, sandbox: ${sandbox} }`
  const { [bug.file]: text = '' } = files
  if (!text.includes(bug.from)) throw new Error(`${bug.file} has no ${bug.from}`)
  const made = isRight ? files : { ...files, [bug.file]: text.replace(bug.from, () => bug.to) }
  const all = Object.entries({ ...made, [`${name}.test.md`]: `---\n${head}\n---\n\n${body}` })
  return Object.fromEntries(all.map(([file, content]) => [`specs/${name}/${file}`, content]))
}

/** Without what a pass is worth, and codes behind the first. */
const shortened = (verdict: string): string =>
  verdict.replace(/^pass .*|^(\w+ \w+) .*/, (_all, short = 'pass') => short)

describe.skipIf(skipReason !== '').concurrent(`by mdtest's hands${skipReason}`, () => {
  test.each(sampleOf([codex, claude, codexCodeMode]))('products get the right verdicts by $title', async (product) => {
    const right = handsSpecs(await freePort()).map((spec) => ({ name: `${spec.name}-right`, spec, isRight: true }))
    const broken = handsSpecs(await freePort()).map((spec) => ({ name: `${spec.name}-broken`, spec, isRight: false }))
    const runs = [...right, ...broken]
    const files = Object.assign({}, shop, ...runs.map(filesOf))
    await using real = await createRealProject({ product, script: reportSpec, options: { maxAgents: 2 }, files })
    const { stdout, all } = await real.vitest(['run', '--reporter=json'])
    const found = runs.map(({ name }) => [name, verdictsOf(stdout, `${name}.test.md`).map(shortened)])
    const wanted = runs.map(({ name, spec, isRight }) => [name, isRight ? spec.broken.map(() => 'pass') : spec.broken])
    expect(found, all).toEqual(wanted)
    expect(await real.leftovers()).toEqual([])
  })

  test('a pass says so everywhere', async () => {
    const files = { 'notes.mjs': rightProgram, 'notes.test.md': told }
    await using real = await createRealProject({ product: claude, script: reportSpec, files })
    const { project } = real
    const reporters = ['--reporter=default', '--reporter=junit', '--output-file=r.xml']
    const run = await real.mdtest(['run', '--report', ...reporters])
    const word = 'mdtest, no sandbox: `hands.sandbox` is `off`'
    expect(run.stdout).toContain(`steps: 1 passed: 1 witnessed\nhands: 1 step by ${word}\n`)
    expect(run.exitCode).toBe(0)
    expect(await project.read('r.xml')).toContain(`<property name="mdtest:hands" value="${word}">`)
    const { stdout: shown } = await real.mdtest(['show'])
    expect(shown).toMatch(/^ {2}1-add-a-note pass witnessed in .*, agent, hands mdtest, no/m)
    const logs = filesWith('^hands: mdtest$', project.path('notes.logs'))
    expect(logs).toEqual([expect.stringMatching(/\.log\.md$/)])
    expect(filesWith('^sandbox: none$', project.path('notes.logs'))).toEqual(logs)
    expect(filesWith('hands mdtest, no sandbox', project.path('mdtest-report'))).not.toEqual([])
  })

  test.each([claude, ...sampleOf([codex, codexCodeMode])])(
    '$title takes no more turns, and what it did is recorded to the same bytes as by its own',
    async (product) => {
      const specs = Object.fromEntries(scenarios.map(({ name, spec }) => [`${name}.test.md`, spec]))
      const files = { 'app/notes.mjs': notes, ...specs }
      await using real = await createRealProject({ product, script: playActs(scenarios), files })
      const made = await real.mdtest(['record'])
      expect(made.exitCode, made.all).toBe(0)
      for (const { name } of scenarios) {
        const text = await real.project.read(`${name}.recording.md`)
        expect(text).toMatch(new RegExp(` by="${product.agent} \\d+\\.\\d+\\.\\d+[\\w.-]*" on=`))
        const body = text.replace(/^---\n[\s\S]*?\n---\n\n/, '')
        expect(body.replace(/ key=\w+ by="[^"]*" on=[\d-]+ /g, ' … ')).toBe(recorded)
      }
      const turnsOf = (name: string): number =>
        real.model.conversations.filter(({ prompt, isSideRequest }) => !isSideRequest && prompt.includes(name)).length
      const [own, byMdtest] = [turnsOf('by-agent.test.md'), turnsOf('by-mdtest.test.md')]
      expect(byMdtest).toBeGreaterThan(0)
      expect(byMdtest).toBeLessThanOrEqual(own)
      expect(await real.leftovers()).toEqual([])
    },
  )
})

const told = `---
hands: { sandbox: off }
min-assurance: witnessed
allow: ['Bash(node notes.mjs *)']
---

# Notes

## Add a note

Run \`node notes.mjs add milk\`. It prints "added milk".
`

const notes = `import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const file = new URL('notes.json', import.meta.url)
const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const [command, word] = process.argv.slice(2)
if (command === 'add') {
  const id = randomBytes(8).toString('hex')
  writeFileSync(file, JSON.stringify({ ...all, [id]: word }))
  console.log('added ' + id)
} else if (command === 'show') {
  console.log('note: ' + all[word])
  console.log('open')
} else {
  console.error('unknown: ' + command)
  process.exitCode = 1
}
`

/** The same for both hands. */
const acts: RecordedScenario['acts'] = (() => {
  let id = ''
  return {
    *'Add a note'() {
      yield* sh('node app/notes.mjs ad milk')
      const added = yield* sh('cd app && node notes.mjs add milk; cd ..')
      id = /\w+$/.exec(added)?.[0] ?? ''
      return ['added']
    },
    *'Show the note'() {
      const shown = yield* sh(`node app/notes.mjs show ${id} | grep -v open`)
      return [lineWith(shown, 'milk')]
    },
  }
})()

const scenarios = ['agent', 'mdtest'].map((hands): RecordedScenario => ({
  name: `by-${hands}`,
  files: {},
  spec: specOf({ 'Add a note': 'Add milk.', 'Show the note': 'It is there.' }, `hands: ${hands}\n`),
  acts,
  bug: { file: '', from: '', to: '' },
}))

const recorded = `# Scenario

## Add a note

<!-- mdtest: … -->

\`\`\`console
$ (cd app && node notes.mjs add milk; cd ..)
added {{value1:/[0-9a-fA-F]+/}}
\`\`\`

## Show the note

<!-- mdtest: … -->

\`\`\`console
$ node app/notes.mjs show "$value1" | grep -v open
note: milk
\`\`\`
`
