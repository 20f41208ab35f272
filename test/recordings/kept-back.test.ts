import { expect, it } from 'vitest'
import { describeRecording } from '../../src/recordings/describe-recording.ts'
import { keptBack } from '../../src/recordings/record-scenario.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import type { RecordingRefusal } from '../../src/records/recorded-reason.ts'

const specFile = '/project/notes.test.md'

const kept = {
  ...{ added: 0, updated: 0, obsolete: [], heldBack: [], isCleaned: false, isWritten: false },
  ...{ specFile, file: '/project/notes.recording.md', before: 'a\n', after: 'a\n', refusals: [], recorded: [] },
}

const telling = {
  nameOf: (file: string) => file.replace('/project/', ''),
  hasDiff: true,
  hasFailed: false,
  writer: 'mdtest record',
} as const // a literal writer

const { spec } = parseSpec(
  '---\ninclude: [more.md]\n---\n\n# Notes\n\n## Add\n\nAdd one.\n\n## Code\n\n```sh run\ntrue\n```\n\n## Ask\n\nAsk.\n\n## Later\n\n<!-- mdtest: todo -->\n\nLater.\n\n## Look\n\nLook.\n',
  { file: specFile, agentDefault: 'claude', readIncluded: () => '## Log in\n\nLog in.\n' },
)
const [scenario] = spec.scenarios

const asked: RecordingRefusal = { code: 'NEEDS_THE_MODEL', step: 'Ask', line: 17, message: 'A web search.' }

/** What is told of a scenario in which these were refused. */
function tell(...refusals: readonly [RecordingRefusal, ...RecordingRefusal[]]): readonly string[] {
  if (scenario === undefined) throw new Error('no scenario')
  const all = [...refusals, ...keptBack(scenario, refusals)]
  return describeRecording({ ...kept, before: '', after: '', refusals: all }, { ...telling, hasDiff: true })
}

it('tells of each step of an agent why it is not recorded, with its line', () => {
  expect(tell(asked)).toEqual([
    'not recorded: notes.test.md:17 "Ask": NEEDS_THE_MODEL: A web search.',
    'kept back: more.md:1 "Log in": the step "Ask" keeps its agent, and an agent never works on from a replay. Mend that step, or put the two into scenarios of their own.',
    'kept back: notes.test.md:7 "Add": the step at line 17 keeps its agent, and an agent never works on from a replay. Mend that step, or put the two into scenarios of their own.',
    'kept back: notes.test.md:27 "Look": nobody can try it without the agent of the step at line 17. Mend that step, or put the two into scenarios of their own.',
  ])
})

it('tells of a reason of the whole scenario once', () => {
  expect(tell({ ...asked, step: 'Notes', line: 5 })).toEqual([
    'not recorded: notes.test.md:5 "Notes": NEEDS_THE_MODEL: A web search.',
  ])
})

it('names the steps that were recorded', () => {
  const recorded = [
    { step: 'Log in', line: 1, file: '/project/more.md' },
    { step: 'Add', line: 7 },
  ]
  const steps = ['  more.md:1 "Log in"', '  notes.test.md:7 "Add"']
  expect(describeRecording({ ...kept, recorded }, telling)).toEqual(['as recorded: notes.recording.md', ...steps])
  expect(describeRecording({ ...kept, recorded }, { ...telling, hasFailed: true })).toEqual(steps)
  const [written] = describeRecording({ ...kept, recorded, isWritten: true }, telling)
  expect(written).toBe(
    'recorded: notes.recording.md (tried three times without the agent, its commands also with programs that do nothing)',
  )
})

it('names what writes a recording anew, and takes out what is obsolete', () => {
  const changed = { ...kept, after: 'b\n', obsolete: [{ title: 'Gone', line: 9 }] }
  const wayOut = (writer: 'mdtest record' | '-u'): readonly string[] =>
    describeRecording(changed, { ...telling, hasDiff: false, writer }).map((line) => line.replace(/.*: /, ''))
  expect(wayOut('mdtest record')).toEqual([
    'write it with `mdtest record`.',
    'no step of the spec has it any more. Remove it with `mdtest record`.',
  ])
  expect(wayOut('-u').join(' ')).not.toContain('mdtest record')
})
