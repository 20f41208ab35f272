import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, it } from 'vitest'
import { resolveOptions } from '../../src/plan/options/option-defaults.ts'
import { planSpec, type PlannedSpec } from '../../src/plan/plan-spec.ts'
import { listOrphans } from '../../src/plan/spec-files.ts'
import { useFolders, type TestFolder } from '../host/use-folder.ts'
import { recordByHand, transcript } from '../support/hand-recording.ts'

const newFolder = useFolders()
const spec = '# Demo\n\nDo it.\n'
const recording = `---\nrecording-of: "demo.test.md"\nkeys: 2\n---\n\n${recordByHand(spec, { bodies: { Demo: transcript('$ echo it', 'it') } })}`

async function planBeside(
  beside: string | Buffer,
): Promise<{ readonly planned: PlannedSpec; readonly folder: TestFolder }> {
  const folder = newFolder()
  await folder.write({ 'demo.test.md': spec })
  writeFileSync(folder.at('demo.recording.md'), beside)
  const file = folder.at('demo.test.md')
  const options = resolveOptions({ agent: 'claude' })
  return { folder, planned: planSpec(readFileSync(file), { file, root: folder.path, options, commandLine: {} }) }
}

it.each([
  ['notes with code', '# Recording a demo\n\nPress the button.\n\n```sh\nasciinema rec demo.cast\n```\n'],
  [
    'notes that name what recordings have',
    '# Notes\n\nSet `recording-of:` and a comment with `key=`.\n\n```sh\ntrue\n```\n',
  ],
  ['prose without headings', 'What was said:\n\n```sh\ntrue\n```\n'],
  ['bytes that are no text', Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a])],
])('a file of the user with the name of a recording is none, and is waited for: %s', async (_what, text) => {
  const { planned, folder } = await planBeside(text)
  expect(planned).toMatchObject({ ok: true, missing: [folder.at('demo.recording.md')] })
  expect(planned.ok && planned.plan.replay).toBeUndefined()
  expect([...planned.included]).toEqual([])
})

it.each([
  ['cut off', recording.slice(0, -3)],
  ['with versions that a merge left', `<<<<<<< a\n${recording}=======\n${recording}>>>>>>> b\n`],
  ['with other blocks', recording.replace('$ echo it', '').replace(/^it$/m, '')],
  ['without the version of its keys', recording.replace('keys: 2\n', '')],
  ['without a key', recording.replace(/<!-- mdtest.*-->/, '')],
  [
    'without front matter, and with a mark too many',
    recording.replace(/^---[^]*?---/, '').replace('key=', 'by=x of=y key='),
  ],
  ['as UTF-16', Buffer.from(recording, 'utf16le')],
  ['of other bytes', Buffer.concat([Buffer.from(recording), Buffer.from([0xff])])],
])('a recording of ours that was damaged is told of: %s', async (_what, text) => {
  const { planned } = await planBeside(text)
  expect(planned.ok).toBe(false)
})

it('a recording whose keys are of another version is told of with what to do, and gives way to a new one', async () => {
  const old = recording.replace('keys: 2', 'keys: 1')
  const { planned, folder } = await planBeside(old)
  const problemNaming = (spec: string): object => {
    const message = expect.stringMatching(new RegExp(`keys are of version 1, .* \`npx vitest-mdtest record ${spec}\``))
    return { ok: false, problems: [{ ruleId: 'recording-key', message }] }
  }
  expect(planned).toMatchObject(problemNaming('demo.test.md'))
  const file = folder.at('demo.test.md')
  const input = { file, root: folder.path, options: resolveOptions({ agent: 'claude' }), commandLine: {} }
  const fromAbove = planSpec(readFileSync(file), { ...input, root: dirname(folder.path) })
  expect(fromAbove).toMatchObject(problemNaming(`${basename(folder.path)}/demo.test.md`))
  expect(planSpec(readFileSync(file), { ...input, record: 'write' }).ok).toBe(true)
  writeFileSync(folder.at('demo.recording.md'), old.replace('keys: 1', 'keys: 2'))
  const current = planSpec(readFileSync(file), input)
  expect(current.ok && current.plan.replay).toBeDefined()
})

it('lists as left behind what is ours alone', async () => {
  const folder = newFolder()
  await folder.write({
    'notes.recording.md': '# Notes\n\n```sh\ntrue\n```\n',
    'empty.recording.md': '',
    'gone.recording.md': recording,
    'by-hand.recording.md': recording.replace(/^---[^]*?---/, ''),
  })
  const orphans = await listOrphans(folder.path, process.env)
  expect(orphans.toSorted()).toEqual([folder.at('by-hand.recording.md'), folder.at('gone.recording.md')])
})

it('a name of a secret in prose, also in that of a login, is one of `secrets` or of `totp`', async () => {
  const folder = newFolder()
  const text = `---\nagent: browser\nlogin: ann\ntotp: { CODE: SEED }\n---\n\n# Demo\n\nType {{secret:KEY}}, {{secret:CODE}}\nand {{secret:SEED}}.\n\n- [ ] {{secret:OTHER}}\n\n\`\`\`\`text\n{{secret:FENCED}}\n\`\`\`\`\n`
  await folder.write({ 'demo.test.md': text, 'AUTH_LOGIN.ann.md': 'Type {{secret:KEY}} and {{secret:PIN}}.\n' })
  const options = resolveOptions({ secrets: ['KEY', 'SEED'] })
  const file = folder.at('demo.test.md')
  const planned = planSpec(text, { file, root: folder.path, options, commandLine: {} })
  const seen = planned.ok
    ? []
    : planned.problems.map(({ ruleId, line, column, message }) => [ruleId, line, column, message.split('. ')[0]])
  expect(seen).toEqual([
    ['unknown-secret', 10, 5, 'There is no secret `SEED`'],
    ['unknown-secret', 12, 7, 'There is no secret `OTHER`'],
    ['unknown-secret', 1, 25, 'There is no secret `PIN`'],
  ])
})
