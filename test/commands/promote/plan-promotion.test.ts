import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { planPromotion } from '../../../src/commands/promote/plan-promotion.ts'
import { writeWhole } from '../../../src/commands/promote/write-whole.ts'
import { resolveOptions } from '../../../src/plan/options/resolve-options.ts'
import { planSpec } from '../../../src/plan/plan-spec.ts'
import { formatRecording } from '../../../src/spec/recording/format-recording.ts'
import { recordingFileOf } from '../../../src/spec/recording/recording.ts'
import { stepsOf } from '../../../src/spec/spec.ts'

const options = resolveOptions({ agent: 'claude' })

/** What is recorded of each step, by its title. */
type Bodies = Readonly<Record<string, string>>

interface Written {
  readonly root: string
  readonly file: string
  readonly recordingFile: string
}

/** A spec and its recording in a folder of their own. */
function write(text: string, bodies: Bodies = {}, others: Readonly<Record<string, string>> = {}): Written {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-promote-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const file = join(root, 'notes.test.md')
  writeFileSync(file, text)
  for (const [name, content] of Object.entries(others)) writeFileSync(join(root, name), content)
  const recordingFile = recordingFileOf(file)
  const planned = planSpec(text, { file, root, options, commandLine: { recordings: true, replay: 'off' } })
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems))
  const { spec, record } = planned.plan
  const seen = new Set<string>([''])
  const scenarios = spec.scenarios.map((scenario, index) => ({
    title: scenario.title,
    isStep: !scenario.hasDescribe,
    steps: stepsOf(scenario).flatMap(({ title, id }) => {
      const body = bodies[title]
      const key = record?.keys[index]?.[id] ?? ''
      if (body === undefined || seen.has(key)) return []
      seen.add(key)
      return [{ title, key, by: 'claude 2', on: '2026-11-20', body }]
    }),
  }))
  writeFileSync(recordingFile, formatRecording(file, scenarios))
  return { root, file, recordingFile }
}

/** Promotes, writes, and gives what became of both files, or why not. */
function promote({ root, file, recordingFile }: Written, lines?: readonly number[]): readonly string[] {
  const plan = planPromotion({ file, ...(lines && { lines }) }, { root, options })
  if (!plan.ok) return plan.problems
  const failed = writeWhole(plan.changes, root)
  if (failed !== undefined) return [failed]
  return [file, recordingFile].map((path) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return 'removed'
    }
  })
}

/** Which steps of a spec an agent carries out, and which of them a recording has. */
function agentsOf({ root, file }: Written): readonly string[] {
  const planned = planSpec(readFileSync(file), { file, root, options, commandLine: {} })
  if (!planned.ok) throw new Error(JSON.stringify(planned.problems))
  const { spec, replay } = planned.plan
  return spec.scenarios.flatMap((scenario) =>
    stepsOf(scenario).map((step, index) => {
      const found = replay?.scenarios[scenario.ordinal]
      const replayed = found && stepsOf(found)[index]?.replay
      return `${step.title}: ${step.actor}${replayed === undefined ? '' : ` ${replayed}`}`
    }),
  )
}

const add = '```console\n$ node notes.mjs add milk\nadded 1: milk\n```'
const look = '```console\n$ node notes.mjs list\n...\n1 [ ] milk\n```'

const notes = `---
cwd: copy
---

# Notes

## Add

Add a note "milk".

- [ ] it got the number 1

## Look

Look at the list.
`

describe('a step', () => {
  it('is moved, and those behind it stay recorded', () => {
    const written = write(notes, { Add: add, Look: look })
    const [spec, recording] = promote(written, [9])
    expect(spec).toBe(`---
cwd: copy
---

# Notes

## Add

<!-- mdtest: agent=none -->

Add a note "milk".

- it got the number 1

\`\`\`console verify
$ node notes.mjs add milk
added 1: milk
\`\`\`

## Look

Look at the list.
`)
    expect(recording?.replace(/key=\w+/, 'key=…')).toBe(`---
recording-of: "notes.test.md"
keys: 2
---

# Notes

## Look

<!-- mdtest: key=… by="claude 2" on=2026-11-20 -->

${look}
`)
    expect(agentsOf(written)).toEqual(['Add: code', 'Look: agent current'])
    expect(promote(written)[1]).toBe('removed')
    expect(agentsOf(written)).toEqual(['Add: code', 'Look: code'])
  })

  it.each([
    ['the first step of the first', 7, ['code', 'agent current', 'agent current', 'agent current']],
    ['the first step of the second', 20, ['agent current', 'agent current', 'code', 'agent current']],
    ['all of the second', 18, ['agent current', 'agent current', 'code', 'code']],
  ])('leaves what is recorded to a scenario that says the same: %s', (_what, line, actors) => {
    const [front = '', scenario = ''] = notes.split(/(?=# Notes)/)
    const written = write(`${front}${scenario}\n${scenario}`, { Add: add, Look: look })
    const [spec] = promote(written, [line])
    expect(spec).toContain('agent=none')
    expect(agentsOf(written).map((one) => one.replace(/^\w+: /, ''))).toEqual(actors)
    expect(promote(written)[1]).toBe('removed')
  })

  it('runs its blocks in the order of a replay, each with its role', () => {
    const text = `# One

\`\`\`sh run
echo before
\`\`\`

Do it.

- Look:

  <!-- mdtest: timeout=5s -->

  \`\`\`sh verify
  echo after
  \`\`\`
`
    const body = `\`\`\`sh background wait=port:8080
serve
\`\`\`

\`\`\`console cwd=sub
$ go
...
\`\`\`

\`\`\`\`console
$ cat a.md
\`\`\`
\`\`\`\``
    const [spec] = promote(write(text, { One: body }))
    expect(spec).toBe(`# One

<!-- mdtest: agent=none -->

\`\`\`sh run
echo before
\`\`\`

Do it.

- Look:

  \`\`\`sh run background wait=port:8080
  serve
  \`\`\`

  \`\`\`console run cwd=sub
  $ go
  ...
  \`\`\`

  \`\`\`\`console verify
  $ cat a.md
  \`\`\`
  \`\`\`\`

  <!-- mdtest: timeout=5s -->

  \`\`\`sh verify
  echo after
  \`\`\`
`)
  })

  it('keeps code that was for the agent as documentation', () => {
    const text = `# One

Run it:

\`\`\`sh
rm -rf "$HOME"
\`\`\`

\`\`\`output
gone
\`\`\`

> \`\`\`python
> print(1)
> \`\`\`

\`\`\`
$ ls
\`\`\`

## Notes

\`\`\`bash
true
\`\`\`
`
    const [spec] = promote(write(text, { One: add }))
    expect(spec).toBe(`# One

<!-- mdtest: agent=none -->

Run it:

\`\`\`sh skip
rm -rf "$HOME"
\`\`\`

\`\`\`text
gone
\`\`\`

> \`\`\`python skip
> print(1)
> \`\`\`

\`\`\`text
$ ls
\`\`\`

\`\`\`console verify
$ node notes.mjs add milk
added 1: milk
\`\`\`

## Notes

\`\`\`bash skip
true
\`\`\`
`)
  })

  it.each([
    ['CRLF and a byte order mark', `\uFEFF${notes.replaceAll('\n', '\r\n')}`],
    ['no line end at the end', notes.trimEnd()],
    ['text right below its heading', notes.replaceAll(/(## \w+)\n\n/g, '$1\n')],
    ['headings with a line below them', notes.replaceAll(/## (\w+)/g, '$1\n---')],
    ['directives', notes.replace('## Look\n', '## Look\n\n<!-- mdtest: timeout=5s tags=a -->\n')],
    ['no heading', '---\ncwd: copy\n---\n\nAdd a note "milk".\n'],
    ['a set-up', notes.replace('## Add\n', '## Setup\n\n```sh run\ntrue\n```\n\n## Add\n')],
  ])('may have %s', (_what, text) => {
    const written = write(text, { Add: add, Look: look, notes: add })
    const [spec = '', recording] = promote(written)
    expect(recording).toBe('removed')
    expect(agentsOf(written).every((one) => one.endsWith(': code'))).toBe(true)
    expect(spec.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
    expect(/(?<!\r)\n/.test(spec)).toBe(!text.includes('\r\n'))
    const kept = spec.split(/\r?\n/)
    for (const line of text.trimEnd().split(/\r?\n/)) expect(kept).toContain(line.replace('- [ ]', '-'))
  })
})

describe('nothing is written where', () => {
  const refused: readonly (readonly [string, string, Bodies, readonly number[] | undefined, RegExp])[] = [
    [
      'a step has no recording',
      notes,
      { Add: add },
      undefined,
      /^notes\.test\.md:13 "Look": it has no recording\. Run/,
    ],
    ['a line is in no step', notes, { Add: add }, [2], /^notes\.test\.md:2: there is no step at this line/],
    [
      'it is a row of a table',
      '# One\n\n## Add <n>\n\nAdd <n>.\n\n### Examples\n\n| n |\n| --- |\n| 1 |\n',
      { 'Add 1': add },
      undefined,
      /^notes\.test\.md:\d+ "Add 1": it is a row of a table/,
    ],
    [
      'a `run` block stands behind a `verify` block',
      '# One\n\nDo it.\n\n```sh verify\ntrue\n```\n\n```sh run\nfalse\n```\n',
      { One: add },
      undefined,
      /^notes\.test\.md:1: .*the order of blocks would be another one/,
    ],
    [
      'the spec would have a problem',
      '# One\n\nDo it.\n',
      { One: '```text file=a.txt\na\n```\n\n```console\n$ cat a.txt\na\n```' },
      undefined,
      /^notes\.test\.md would have problems[^]*file-in-project/,
    ],
  ]
  it.each(refused)('%s', (_what, text, bodies, lines, why) => {
    const written = write(text, bodies)
    const recording = readFileSync(written.recordingFile, 'utf8')
    const told = promote(written, lines)
    expect(told[0]).toMatch(why)
    expect(readFileSync(written.file, 'utf8')).toBe(text)
    expect(readFileSync(written.recordingFile, 'utf8')).toBe(recording)
  })

  it('a part of a scenario would go on in another page', () => {
    const enter = '```browser\ngoto /\n- heading "Notes"\n```'
    const click = '```browser\nclick link "All"\n- heading "All"\n```'
    const text = notes.replace('cwd: copy', 'base-url: http://127.0.0.1:3000')
    const written = write(text, { Add: enter, Look: click })
    const told = (line: number): readonly string[] => promote(written, [line])
    const why = 'would keep its agent, whose page is another one. Promote all of the scenario, by its own line (5).'
    expect(told(7)).toEqual([`notes.test.md:13: "Look" ${why}`])
    expect(told(13)).toEqual([`notes.test.md:7: "Add" ${why}`])
    const printed = planPromotion({ file: written.file, lines: [7] }, { root: written.root, options, isPrinted: true })
    expect(printed).toMatchObject({ ok: true, steps: [{ title: 'Add' }] })
    expect(promote(written, [5])[1]).toBe('removed')
    expect(agentsOf(written)).toEqual(['Add: code', 'Look: code'])
    const mixed = write(text, { Add: enter, Look: look })
    expect(promote(mixed, [7])[0]).toContain('agent=none')
  })

  it.each([
    ['in a set-up', '## Add\n', '## Setup\n\n```browser run\ngoto /login\n```\n\n## Add\n', 9],
    ['between two steps', '- [ ] it got the number 1\n', '```browser verify\ngoto /all\n```\n', 11],
    ['behind all steps', /$/, '\n```browser verify\ngoto /all\n```\n', undefined],
  ])('the page of a block %s would be shared by what was recorded', (_where, place, more, line) => {
    const enter = '```browser\ngoto /\n- heading "Notes"\n```'
    const click = '```browser\nclick link "All"\n- heading "All"\n```'
    const text = notes.replace('cwd: copy', 'base-url: http://127.0.0.1:3000').replace(place, more)
    const [told] = promote(write(text, { Add: enter, Look: click }))
    if (line === undefined) expect(told).toContain('agent=none')
    else expect(told).toMatch(new RegExp(`^notes\\.test\\.md:${line}: This .browser. block has another page`))
  })

  it('its recording is stale, an included file has it, or a file is read-only', () => {
    const stale = write(notes, { Add: add, Look: look })
    writeFileSync(stale.file, notes.replace('"milk"', '"tea"'))
    expect(promote(stale)).toEqual([
      expect.stringMatching(/^notes\.test\.md:7 "Add": its recording is of another wording/),
      expect.stringMatching(/^notes\.test\.md:13 "Look": its recording is of another wording/),
    ])
    const including = write(
      '---\ninclude: [more.md]\n---\n\n# One\n',
      { More: add },
      { 'more.md': '## More\n\nDo it.\n' },
    )
    expect(promote(including)).toEqual([expect.stringMatching(/^more\.md:1 "More": it stands in an included file/)])
    const locked = write(notes, { Add: add, Look: look })
    chmodSync(locked.recordingFile, 0o444)
    expect(promote(locked)).toEqual([expect.stringMatching(/^notes\.recording\.md: the file is read-only/)])
    expect(readFileSync(locked.file, 'utf8')).toBe(notes)
  })

  it('a link leads out of the root; one inside of it stays a link', () => {
    const { root, file, recordingFile } = write(notes, { Add: add, Look: look })
    const outer = join(root, 'outer')
    mkdirSync(outer)
    symlinkSync(file, join(outer, 'notes.test.md'))
    const plan = planPromotion({ file: join(outer, 'notes.test.md') }, { root: outer, options })
    expect(plan).toMatchObject({ ok: false, problems: [expect.stringMatching(/outside of the suite root/)] })

    const real = join(root, 'real.md')
    renameSync(file, real)
    renameSync(recordingFile, join(root, 'real.recording.md'))
    symlinkSync('real.md', file)
    expect(promote({ root, file, recordingFile })[1]).toBe('removed')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toContain('agent=none')
  })

  it('a file was changed since, or the second cannot be written: the first is as it was', () => {
    const { root, file, recordingFile } = write(notes, { Add: add, Look: look })
    const change = { file, before: notes, after: 'other' }
    const changed = [change, { file: recordingFile, before: 'something else', after: '' }]
    expect(writeWhole(changed, root)).toMatch(/was changed a moment ago/)
    const device = join(root, 'device')
    symlinkSync('/dev/null', device)
    expect(writeWhole([change, { file: device, before: '', after: 'x' }], root)).toMatch(/^device cannot be written: /)
    expect(readFileSync(file, 'utf8')).toBe(notes)
  })
})
