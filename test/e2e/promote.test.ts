import { expect, test } from 'vitest'
import { formatRecording } from '../../src/spec/recording/format-recording.ts'
import { keysOf } from '../../src/spec/recording/step-keys.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { stepsOf } from '../../src/spec/spec.ts'
import { createProject } from '../support/create-project.ts'

const file = '/notes.test.md'

const spec =
  '---\ncwd: copy\n---\n\n# Notes\n\n## Add\n\nAdd a note "milk".\n\n- [ ] it is added\n\n## Look\n\nLook at it.\n'

/** What an agent did, as if it were recorded. */
function record(): string {
  const { spec: parsed } = parseSpec(spec, { file })
  const steps = parsed.scenarios.flatMap((scenario) => {
    const keys = keysOf(parsed, scenario, () => spec)
    return stepsOf(scenario).map(({ title, id }) => ({ title, key: keys.get(id) ?? '', by: 'x', on: '2026-11-20' }))
  })
  const bodies = ['$ node notes.mjs add milk\nadded milk', '$ node notes.mjs list\nmilk']
  const written = steps.map((step, index) => ({ ...step, body: `\`\`\`console\n${bodies[index]}\n\`\`\`` }))
  return formatRecording(file, [{ title: 'Notes', isStep: false, steps: written }])
}

const product = `import { appendFileSync, readFileSync } from 'node:fs'
const [command, text] = process.argv.slice(2)
if (command === 'add') { appendFileSync('notes.txt', text); console.log('added ' + text) }
else console.log(readFileSync('notes.txt', 'utf8'))
`

test('what is promoted needs no agent, and fails where the spec has it', async () => {
  const files = { 'notes.test.md': spec, 'notes.recording.md': record(), 'notes.mjs': product }
  await using project = await createProject(files)
  const unknown = await project.mdtest(['promote', 'notes.test.md', '--as', 'poem'])
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('`--as poem`: there is no such form') })

  const empty = await project.mdtest(['promote', 'notes.test.md', '--as', 'playwright'])
  expect(empty).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('no `browser` block') })

  const shown = await project.mdtest(['promote', 'notes.test.md', '--dry-run'])
  expect(shown.stdout).toContain('would promote notes.test.md:7 "Add"')
  expect(await project.read('notes.test.md')).toBe(spec)

  const done = await project.mdtest(['promote', 'notes.test.md'])
  expect(done.stdout).toContain('promoted notes.test.md:13 "Look"')
  expect(done.stdout).toContain('-- [ ] it is added\n+- it is added\n')
  expect(done.stdout).toContain('+```console verify\n+$ node notes.mjs add milk\n+added milk\n')
  expect(done.stdout).toContain('removed notes.recording.md: nothing is left in it')
  expect(done.exitCode).toBe(0)
  await expect(project.read('notes.recording.md')).rejects.toThrow('ENOENT')

  const run = await project.mdtest(['run'])
  expect(run.all).toContain('2 verified')
  expect(run.exitCode).toBe(0)
  await project.write('notes.mjs', product.replace("'added ' + text", "'lost ' + text"))
  const broken = await project.mdtest(['run'])
  expect(broken.all).toContain('VERIFY_FAILED')
  const line = (await project.read('notes.test.md')).split('\n').indexOf('added milk') + 1
  expect(broken.all).toContain(`notes.test.md:${line}`)
  expect(broken.exitCode).toBe(1)
})
