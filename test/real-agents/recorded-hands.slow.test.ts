import { describe, expect, test } from 'vitest'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'
import { playActs } from './recorded/play-acts.ts'
import { lineWith, sh, specOf, type RecordedScenario } from './recorded/scenario.ts'

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

describe.skipIf(skipReason !== '').each([claude, codex, codexCodeMode])(
  `what $title did${skipReason}`,
  ({ agent, title: _title, ...lane }) => {
    test('is recorded to the same bytes, by its own hands and by those of mdtest', async () => {
      const files = {
        'app/notes.mjs': notes,
        ...Object.fromEntries(scenarios.map(({ name, spec }) => [`${name}.test.md`, spec])),
      }
      await using real = await createRealProject({ ...lane, script: playActs(scenarios), options: { agent }, files })
      const { project, env } = real
      const made = await project.mdtest(['record'], { env })
      expect(made.exitCode, made.all).toBe(0)
      for (const { name } of scenarios) {
        const text = await project.read(`${name}.recording.md`)
        expect(text).toMatch(new RegExp(` by="${agent} \\d+\\.\\d+\\.\\d+[\\w.-]*" on=`))
        const body = text.replace(/^---\n[\s\S]*?\n---\n\n/, '')
        expect(body.replace(/ key=\w+ by="[^"]*" on=[\d-]+ /g, ' … ')).toBe(recorded)
      }
      expect(await real.leftovers()).toEqual([])
    })
  },
)
