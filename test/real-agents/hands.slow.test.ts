import { describe, expect, test } from 'vitest'
import { filesWith } from '../support/files-with.ts'
import { verdictsOf } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { rightProgram } from './notes-project.ts'
import { claude, codex, codexCodeMode, createRealProject, sampleOf, skipReason } from './real-project.ts'
import { playActs } from './recorded/play-acts.ts'
import { lineWith, sh, specOf, type RecordedScenario } from './recorded/scenario.ts'

/** Blocks of ours and prose around the steps, rows, a service and what is seen by mdtest alone. */
const specFor = (program: string): string => `---
cwd: copy
executor: mdtest
sandbox: off
min-assurance: witnessed
allow: ['Bash(node ${program} *)']
---

# Notes

## Setup

Run \`node ${program} add tea\`.

\`\`\`sh run background wait=file:service.txt
echo ready > service.txt; exec sleep 1000
\`\`\`

## Add {{note}}

Run \`node ${program} add {{note}}\`. It prints "added {{note}}".

\`\`\`sh verify
grep -q {{note}} notes.json
\`\`\`

### Examples

| note  |
| ----- |
| milk  |
| bread |

## List the notes

Run \`node ${program} list\`. It prints "bread".

## Teardown

Run \`node ${program} list\`.
`

describe.skipIf(skipReason !== '').concurrent(`by mdtest's executor${skipReason}`, () => {
  test.each(sampleOf([claude, codex, codexCodeMode]))('$title: a pass says so everywhere', async (product) => {
    await using real = await createRealProject({
      product,
      script: reportSpec,
      files: {
        'notes.mjs': rightProgram,
        'notes.test.md': specFor('notes.mjs'),
        'wrong.mjs': rightProgram.replace('console.log(each)', "console.log(each.replace('bread', 'eggs'))"),
        'wrong.test.md': specFor('wrong.mjs'),
      },
    })
    const { project } = real
    const run = await real.mdtest([
      'run',
      'notes.test.md',
      '--report',
      '--reporter=default',
      '--reporter=junit',
      '--output-file=r.xml',
    ])
    const word = 'mdtest, no sandbox: `sandbox` is `off`'
    expect(run.stdout).toContain(`steps: 3 passed: 2 verified, 1 witnessed\nexecutor: 3 steps by ${word}\n`)
    expect(run.exitCode).toBe(0)
    expect(await project.read('r.xml')).toContain(`<property name="mdtest:executor" value="${word}">`)
    const { stdout: shown } = await real.mdtest(['show', 'notes.test.md'])
    expect(shown).toMatch(/^ {2}\d-list-the-notes pass witnessed in .*, agent, executor mdtest, no/m)
    const logs = filesWith('^executor: mdtest$', project.path('notes.logs'))
    expect(logs).toEqual([expect.stringMatching(/\.log\.md$/)])
    expect(filesWith('^sandbox: none$', project.path('notes.logs'))).toEqual(logs)
    expect(filesWith('"sandbox":"none"', project.path('mdtest-report'))).not.toEqual([])

    const { stdout: wrong } = await real.mdtest(['run', 'wrong.test.md', '--reporter=json'])
    expect(verdictsOf(wrong, 'wrong.test.md')).toEqual(['pass verified', 'pass verified', 'fail STEP_FAILED'])
    expect(await real.leftovers()).toEqual([])
  })

  test.each([claude, ...sampleOf([codex, codexCodeMode])])(
    '$title: what is recorded mdtest executes, though nothing says so',
    async (product) => {
      const files = { 'app/notes.mjs': notes, 'notes.test.md': scenario.spec }
      await using real = await createRealProject({ product, script: playActs([scenario]), files })
      const made = await real.mdtest(['record'])
      expect(made.exitCode, made.all).toBe(0)
      const text = await real.project.read('notes.recording.md')
      expect(text).toMatch(new RegExp(` by="${product.agent}[\\d .]*" on=`))
      const body = text.replace(/^---\n[\s\S]*?\n---\n\n/, '')
      expect(body.replace(/ key=\w+ by="[^"]*" on=[\d-]+ /g, ' … ')).toBe(recorded)
      expect(await real.leftovers()).toEqual([])
    },
  )
})

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
      const shown = yield* sh(`node app/notes.mjs show ${id}`)
      return [lineWith(shown, 'milk')]
    },
  }
})()

const scenario: RecordedScenario = {
  name: 'notes',
  files: {},
  spec: specOf({ 'Add a note': 'Add milk.', 'Show the note': 'It is there.' }),
  acts,
  bug: { file: '', from: '', to: '' },
}

const recorded = `# Scenario

## Add a note

<!-- mdtest: … -->

\`\`\`console
$ node app/notes.mjs ad milk
...
[1]
$ cd app && node notes.mjs add milk; cd ..
added {{value1:/[0-9a-f]{16}/}}
\`\`\`

## Show the note

<!-- mdtest: … -->

\`\`\`console
$ node app/notes.mjs show "$value1"
note: milk
open
\`\`\`
`
