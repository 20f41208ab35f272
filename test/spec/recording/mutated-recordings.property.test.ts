import { expect, it } from 'vitest'
import fc from '../../support/fast-check.ts'
import { formatRecording } from '../../../src/spec/recording/format-recording.ts'
import { parseRecording } from '../../../src/spec/recording/parse-recording.ts'
import type { RecordedStep } from '../../../src/spec/recording/recording.ts'

const steps = [
  {
    key: '9f3c2a71',
    body: '```console\n$ node notes.mjs add milk\nadded milk\n$ node notes.mjs list\n...\n1 milk\n```',
  },
  {
    key: '0a1b2c3d',
    body: '```text file=list.txt\ntea\n```\n\n```sh\nnode notes.mjs load list.txt\n```\n\n```output\nloaded {{count:/\\d+/}}\n```',
  },
  { key: '11111111', body: '```console cwd=deep\n$ node ../notes.mjs done 1\ndone * (glob)\n[3]\n```' },
].map((step, index) => ({ ...step, title: `Step ${index}`, by: 'claude 2', on: '2026-11-22' }))
const scenarios = [
  { title: 'Notes', isStep: false, steps: steps.slice(0, 2) },
  { title: 'Step 2', isStep: true, steps: steps.slice(2) },
]
const file = '/project/notes.recording.md'
const original = formatRecording('/project/notes.test.md', scenarios)

/** What a step does and expects, wherever it stands. */
function meaningOf({ blocks }: RecordedStep): string {
  const isPlace = new Set(['line', 'column', 'codeLine'])
  return JSON.stringify(blocks, (key, value: unknown) => (isPlace.has(key) ? undefined : value))
}

const known = new Map(parseRecording(original, file).recording.steps.map((step) => [step.key, meaningOf(step)]))

type Mutation = (text: string, at: number, size: number, piece: string) => string

const byLine =
  (change: (lines: string[], at: number, size: number, piece: string) => void): Mutation =>
  (text, at, size, piece) => {
    const lines = text.split('\n')
    change(lines, at % lines.length, size, piece)
    return lines.join('\n')
  }

const pieces = ['...', '', '```', '$ true', '|| true', '* (glob)', '.* (re)', ' (?)', '# X', '## Step 0', '~~~', '[0]']
const marks = ['<!-- mdtest: skip -->', '<!--', '-->', '\0', '\r', '> ', '    ', '---', 'skip', 'exit=3', 'errexit=off']

const mutations: readonly Mutation[] = [
  (text, at) => text.slice(0, at % text.length),
  (text, at, size) => text.slice(0, at % text.length) + text.slice((at % text.length) + size),
  (text, at, _size, piece) => text.slice(0, at % text.length) + piece + text.slice(at % text.length),
  byLine((lines, at, size) => void lines.splice(at, 1 + (size % 6))),
  byLine((lines, at, _size, piece) => void lines.splice(at, 0, piece)),
  byLine((lines, at, _size, piece) => void lines.splice(at, 1, piece)),
  byLine((lines, at, size) => void lines.splice(at, 0, ...lines.slice(size, size + 4))),
  byLine((lines, at, size) => void lines.push(...lines.splice(at, 1 + (size % 8)))),
  byLine((lines, at, _size, piece) => void (lines[at] = `${lines[at]} ${piece}`)),
]

const mutated = fc
  .array(
    fc.record({
      mutate: fc.constantFrom(...mutations),
      at: fc.nat(2000),
      size: fc.nat(40),
      piece: fc.constantFrom(...pieces, ...marks),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.reduce((text, { mutate, at, size, piece }) => mutate(text, at, size, piece), original))

it('of mutated recordings none has other blocks for a step, unless it is refused', () => {
  let accepted = 0
  fc.assert(
    fc.property(mutated, (text) => {
      const { recording, problems } = parseRecording(text, file)
      if (problems.length > 0) return
      accepted += 1
      // A key of its own is that of no step.
      for (const step of recording.steps)
        if (known.has(step.key) && known.get(step.key) !== meaningOf(step)) throw new Error(step.key)
    }),
  )
  expect(accepted).toBeGreaterThan(0)
})
