import { describe, expect, it } from 'vitest'
import { parseRecording } from '../../../src/spec/recording/parse-recording.ts'
import { updateRecording, type ScenarioToUpdate } from '../../../src/spec/recording/update-recording.ts'

const specFile = '/project/notes.test.md'
const body = (text: string): string => `\`\`\`console\n$ ${text}\n${text}!\n\`\`\``

/** `Notes: add=a1` is a scenario with a step of this key; `add=a1>milk` records `milk` for it, `One.` is its own step. */
function scenario(text: string): ScenarioToUpdate {
  const [name = '', ...given] = text.split(/[:\s]+/)
  const isStep = name.endsWith('.')
  const title = name.replace('.', '')
  const all = given.map((one) => {
    const [, step = '', key = '', said] = /^(\w+)=(\w+)(?:>(.*))?$/.exec(one) ?? []
    return { title: isStep ? title : step, key: `0000000${key}`.slice(-8), said }
  })
  const isRecorded = all.some(({ said }) => said !== undefined)
  const steps = all.map((one) => ({ ...one, by: 'claude 2', on: '2026-11-22', body: body(one.said ?? '') }))
  return { title, isStep, known: all, ...(isRecorded && { steps }) }
}

interface Change {
  readonly mode?: 'missing' | 'all'
  readonly isWhole?: boolean
}

function update(before: string, scenarios: readonly string[], { mode = 'all', isWhole = true }: Change = {}) {
  const updated = updateRecording(before, { specFile, scenarios: scenarios.map(scenario), mode, isWhole })
  expect(parseRecording(updated.text, '/project/notes.recording.md').problems).toEqual([])
  return updated
}

/** Titles with what they run. */
function outline(text: string): readonly string[] {
  const { recording } = parseRecording(text, '/x.recording.md')
  return recording.steps.map(({ scenario: above, title, blocks }) => {
    const commands = blocks.flatMap((block) => (block.kind === 'console' ? block.commands : []))
    return `${above ?? ''}/${title}: ${commands.map(({ command }) => command).join()}`
  })
}

const notes = ['Notes: add=a1>milk list=b2>all', 'Shop: buy=c3>tea', 'One.: one=d4>x']
const first = update('', notes).text

describe('a recording that is there', () => {
  it('is written in the order of the spec', () => {
    expect(outline(first)).toEqual(['Notes/add: milk', 'Notes/list: all', 'Shop/buy: tea', '/One: x'])
    expect(first).toMatch(
      /^---\nrecording-of: "notes\.test\.md"\nkeys: 2\n---\n\n# Notes\n\n## add\n\n<!-- mdtest: key=000000a1[\da-f]{8} by=/,
    )
    expect(first.endsWith('```\n')).toBe(true)
  })

  it('stays byte for byte where the same was recorded, whoever did it and when', () => {
    const edited = first.replace('# Shop', '# Shop\n\nBy hand.').replaceAll('2026-11-22', '2020-01-01')
    for (const text of [edited, edited.replaceAll('\n', '\r\n'), `\uFEFF${edited}`, edited.trimEnd()]) {
      expect(update(text, notes)).toEqual({ text, added: 0, updated: 0, obsolete: [], heldBack: [] })
    }
  })

  it('gets keys of this version where the whole spec was recorded again', () => {
    for (const keys of ['keys: 1\n', '']) {
      const old = first.replace('keys: 2\n', keys)
      expect(update(old, notes).text).toBe(first)
      expect(update(old, notes, { isWhole: false }).text).toBe(old)
      expect(update(old, ['Notes: add=a1>milk list=b2>all', 'Shop: buy=c3', 'One.: one=d4>x']).text).toBe(old)
      expect(update(old, notes, { mode: 'missing' }).text).toBe(old)
    }
  })

  it('keeps all but the steps that are written anew: order, comments, other scenarios, line ends', () => {
    const [head = '', ...sections] = first.split(/^(?=# )/m)
    const shuffled = [head, ...sections.toReversed()].join('').replace(/\n*$/, '\n')
    const before = shuffled.replace('# Shop\n', '<!-- why -->\n\n# Shop\n\nSome words.\n').replaceAll('\n', '\r\n')
    const { text, ...counts } = update(before, ['Notes: add=a1>milk list=b9>other', 'Shop: buy=c3', 'One.: one=d4'])
    expect(counts).toEqual({ added: 0, updated: 1, obsolete: [], heldBack: [] })
    const [, seal] = /key=000000b9([\da-f]{8})/.exec(text) ?? []
    const changed = before
      .replace(/key=000000b2[\da-f]{8}/, `key=000000b9${seal}`)
      .replace('$ all\r\nall!', '$ other\r\nother!')
    expect(text).toBe(changed)
  })

  it('gets the key of a step that says something else and is done as before', () => {
    const stale = ['Notes: add=a8>milk list=b8>all', 'Shop: buy=c3', 'One.: one=d4']
    const { text, updated } = update(first, stale)
    expect(updated).toBe(2)
    const { recording } = parseRecording(text, '/x.recording.md')
    expect(recording.steps.map(({ key }) => key.slice(-2))).toEqual(['a8', 'b8', 'c3', 'd4'])
    expect(outline(text)).toEqual(outline(first))
    expect(update(first, stale, { mode: 'missing' })).toMatchObject({ text: first, heldBack: ['Notes'] })
  })

  it('gets a new step behind the one before it, and a new scenario behind the one before it', () => {
    const { text, added } = update(first, [
      'Notes: add=a1>milk mid=e5>half list=b2>all',
      'New: go=f6>now',
      'Shop: buy=c3',
      'Uno.: uno=a7>1',
      'One.: one=d4',
    ])
    expect(added).toBe(3)
    expect(outline(text)).toEqual([
      ...['Notes/add: milk', 'Notes/mid: half', 'Notes/list: all', 'New/go: now', 'Shop/buy: tea', '/Uno: 1'],
      ...['/One: x'],
    ])
    const end = update(first, ['Notes: add=a1>milk list=b2>all end=e5>over', 'Shop: buy=c3', 'One.: one=d4'])
    expect(outline(end.text).slice(1, 4)).toEqual(['Notes/list: all', 'Notes/end: over', 'Shop/buy: tea'])
  })

  it('tells and loses steps that the spec has not, where all of it was run', () => {
    const left = ['Notes: add=a1', 'One.: one=d4']
    const { text, obsolete } = update(first, left)
    expect(obsolete.map(({ title, line }) => `${line} ${title}`)).toEqual(['17 list', '28 buy'])
    expect(outline(text)).toEqual(['Notes/add: milk', '/One: x'])
    expect(text).not.toContain('# Shop')
    expect(update(text, left).text).toBe(text)
    const kept = update(first, left, { mode: 'missing' })
    expect([kept.text, kept.obsolete.length]).toEqual([first, 2])
    expect(update(first, left, { isWhole: false })).toEqual({ ...kept, obsolete: [] })
  })

  it('does not take a step of an earlier wording for one that is gone', () => {
    expect(update(first, ['Notes: add=a8 list=b8', 'Shop: buy=c8', 'One.: one=d8']).obsolete).toEqual([])
  })

  it('is not replaced by what is written of its own accord', () => {
    const stale = ['Notes: add=a8>bread list=b8>all', 'Shop: buy=c3', 'New: go=f6>now', 'One.: one=d4']
    const { text, heldBack, added, updated } = update(first, stale, { mode: 'missing' })
    expect({ heldBack, added, updated }).toEqual({ heldBack: ['Notes'], added: 1, updated: 0 })
    expect(outline(text)).toEqual(['Notes/add: milk', 'Notes/list: all', 'Shop/buy: tea', 'New/go: now', '/One: x'])
  })

  it('holds what two scenarios that say the same have in common once', () => {
    const same = update('', ['Same: a=a1>x b=b2>y', 'Same: a=a1>x c=c3>z'])
    expect(outline(same.text)).toEqual(['Same/a: x', 'Same/b: y', 'Same/c: z'])
    expect(update(same.text, ['Same: a=a1>x b=b2>y', 'Same: a=a1>x c=c3>z']).text).toBe(same.text)
  })

  it('says of which spec it is, once anything changes', () => {
    const moved = first.replace('notes.test.md', 'old.test.md')
    expect(update(moved, notes).text).toBe(moved)
    expect(update(moved, ['Notes: add=a1>bread list=b2>all', 'Shop: buy=c3', 'One.: one=d4']).text).toContain(
      'recording-of: "notes.test.md"',
    )
  })
})
