import { expect, it } from 'vitest'
import { formatRecording } from '../../../src/spec/recording/format-recording.ts'
import { parseRecording } from '../../../src/spec/recording/parse-recording.ts'
import { recordingFileOf } from '../../../src/spec/recording/recording.ts'

const file = '/project/notes.recording.md'

const text = `---
recording-of: "notes.test.md"
---

# Notes

## Add a note

<!-- mdtest: key=9f3c2a71 by="claude 2.1.330" on=2026-11-22 -->

\`\`\`console
$ node notes.mjs add "milk"
...
$ node notes.mjs list
1 [ ] milk
\`\`\`

## Tick it off

<!-- mdtest: key=0a1b2c3d by="codex 0.169.0" on=2026-11-23 -->

\`\`\`text file=list.txt
tea
\`\`\`

\`\`\`console cwd=deep
$ node ../notes.mjs done 1
done 1: milk
[3]
\`\`\`
`

it('reads each step with its marks and blocks, which know their file', () => {
  const { recording, problems } = parseRecording(text, file)
  expect(problems).toEqual([])
  expect(recording.steps.map(({ title, key, by, on, line }) => ({ title, key, by, on, line }))).toEqual([
    { title: 'Add a note', key: '9f3c2a71', by: 'claude 2.1.330', on: '2026-11-22', line: 7 },
    { title: 'Tick it off', key: '0a1b2c3d', by: 'codex 0.169.0', on: '2026-11-23', line: 18 },
  ])
  const blocks = recording.steps.flatMap((step) => step.blocks)
  expect(blocks.map((block) => [block.kind, block.role, block.line, block.file])).toEqual([
    ['console', 'run', 11, file],
    ['file', 'file', 22, file],
    ['console', 'run', 26, file],
  ])
})

const step = (lines: string): string => `# A\n\n<!-- mdtest: key=9f3c2a71 -->\n\n\`\`\`console\n${lines}\n\`\`\`\n`

it.each([
  ['a block of no step', '```sh\ntrue\n```\n\n# A\n', 'recording-key', 1],
  ['a step without a key', '# A\n\n```sh\ntrue\n```\n', 'recording-key', 1],
  ['a key that is none', '# A\n\n<!-- mdtest: key=zz -->\n\n```sh\ntrue\n```\n', 'recording-mark', 3],
  ['an unknown mark', '# A\n\n<!-- mdtest: key=9f3c2a71 fails -->\n\n```sh\ntrue\n```\n', 'recording-mark', 3],
  [
    'a mark given twice',
    '# A\n\n<!-- mdtest: key=9f3c2a71 key=9f3c2a72 -->\n\n```sh\ntrue\n```\n',
    'recording-mark',
    3,
  ],
  ['a mark without its quote', '# A\n\n<!-- mdtest: key=9f3c2a71 by="x -->\n\n```sh\ntrue\n```\n', 'recording-mark', 3],
  ['a step without blocks', '# A\n\n<!-- mdtest: key=9f3c2a71 -->\n\nNothing.\n', 'recording-blocks', 1],
  [
    'a block that is left out',
    '# A\n\n<!-- mdtest: key=9f3c2a71 -->\n\n```sh skip\ntrue\n```\n',
    'recording-blocks',
    1,
  ],
  ['nothing that has to be printed', step('$ a\n...\n$ b'), 'recording-blocks', 1],
  ['what any line matches', step('$ a\n* (glob)\n.* (re)\n{{x:/.+/}}\nno (?)\nno (*)\n'), 'recording-blocks', 1],
  [
    'a failure that is swallowed',
    '# A\n\n<!-- mdtest: key=9f3c2a71 -->\n\n```sh\nfalse || true\n```\n',
    'recording-blocks',
    1,
  ],
  ['a file alone', '# A\n\n<!-- mdtest: key=9f3c2a71 -->\n\n```text file=a\nb\n```\n', 'recording-blocks', 1],
  ['other blocks than were recorded', step('$ a\nb').replace('71 ', '7112345678 '), 'recording-key', 1],
  ['a pattern that cannot be read', step('$ a\n[ (re)'), 'bad-pattern', 7],
  ['what a merge left', step('$ a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x'), 'recording-mark', 7],
  ['a fence that is never closed', '# A\n\n<!-- mdtest: key=9f3c2a71 -->\n\n```sh\ntrue\n', 'unterminated-fence', 5],
  ['front matter without an end', '---\nrecording-of: x\n\n# A\n', 'front-matter-unterminated', 1],
])('finds %s', (_what, source, ruleId, line) => {
  const { problems } = parseRecording(source, file)
  expect(problems.map((problem) => [problem.ruleId, problem.line])).toContainEqual([ruleId, line])
  for (const problem of problems) expect(problem.file).toBe(file)
})

it.each(['$ a\nb (glob)', '$ a\n1 * (glob)', '$ a\n{{x}}', '$ a\n...\nid {{x:/.+/}}', '$ a\n[1]\n$ b\n...\nb (+)'])(
  'takes for an expectation what %j says',
  (lines) => {
    expect(parseRecording(step(lines), file).problems).toEqual([])
  },
)

it('finds a key that stands at two steps', () => {
  const twice = text.replace('key=0a1b2c3d', 'key=9f3c2a71')
  expect(parseRecording(twice, file).problems.map(({ ruleId, line }) => [ruleId, line])).toEqual([
    ['recording-key', 18],
  ])
})

it.each([
  ['/a/notes.test.md', '/a/notes.recording.md'],
  ['/a/notes.md', '/a/notes.recording.md'],
  ['/a/b.test.d/NOTES.TEST.MD', '/a/b.test.d/NOTES.recording.md'],
])('stands beside its spec: %s', (spec, recording) => {
  expect(recordingFileOf(spec)).toBe(recording)
})

const steps = [
  {
    title: 'Add a note',
    key: '9f3c2a71',
    by: 'claude 2.1.330',
    on: '2026-11-22',
    body: '```console\n$ node notes.mjs add "milk"\n...\n$ node notes.mjs list\n1 [ ] milk\n```',
  },
]

it.each(['Notes', 'Use `a` and *b*', '<x> & [y](z)', 'a #', '1. x', 'x_y_', 'ü \\ "q" &amp;', '---', '| a |'])(
  'writes a heading that is read as %s',
  (title) => {
    const written = formatRecording('/project/notes.test.md', [
      { title, isStep: false, steps: steps.map((step) => ({ ...step, title })) },
    ])
    const { recording, problems } = parseRecording(written, file)
    expect(problems).toEqual([])
    expect(recording.steps.map((step) => [step.scenario, step.title])).toEqual([[title, title]])
  },
)

it('gives a scenario that is its one step one heading', () => {
  const written = formatRecording('/project/notes.test.md', [{ title: 'Add a note', isStep: true, steps }])
  expect(written).toMatch(
    /^---\nrecording-of: "notes\.test\.md"\nkeys: 2\n---\n\n# Add a note\n\n<!-- mdtest: key=9f3c2a71[\da-f]{8} by=/,
  )
  expect(written).not.toContain('##')
})
