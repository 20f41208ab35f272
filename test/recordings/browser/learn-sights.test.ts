import { describe, expect, test } from 'vitest'
import type { BrowserItem, Sight } from '../../../src/recordings/derive/piece.ts'
import { learnSights, typesPassword, whyNothingShown } from '../../../src/recordings/browser/learn-sights.ts'
import type { Rehearsal } from '../../../src/recordings/gates/rehearse.ts'

const moments = [new Date('2026-11-23T10:00:00Z'), new Date('2026-11-23T10:00:02Z')]

const open: BrowserItem = { kind: 'action', code: "await page.goto('/');", method: 'goto', values: [] }
const act: BrowserItem = { kind: 'action', code: 'x', method: 'press', values: [] }
const sight = (line: string, weakness?: string): Sight => ({
  kind: 'sight',
  line,
  ...(weakness !== undefined && { weakness }),
})

/** What a page showed before and after each line, in one execution. */
function rehearsal(pages: readonly (readonly string[])[], passwords: readonly string[] = []): Rehearsal {
  const commands = new Map(
    pages.slice(1).map((after, index) => {
      const told = { lines: [], texts: [], exitCode: 0, captures: new Map() }
      return [index, { ...told, pages: { before: pages[index] ?? [], after, passwords } }] as const // pairs
    }),
  )
  return { verdicts: new Map(), commands, places: [] }
}

/** What becomes of the last step, whose lines these are. */
function judge(
  items: readonly BrowserItem[],
  executions: readonly (readonly (readonly string[])[])[],
  earlier: readonly BrowserItem[] = [],
): string {
  const browserLines = new Map([...earlier, ...items].map((item, line) => [line, item]))
  const samples = executions.map((pages) => rehearsal(pages))
  const pieces = [{ kind: 'browser' as const, items }] // a literal kind
  const learned = learnSights(pieces, { browserLines, samples, moments })
  if (!learned.ok) return learned.why
  const why = whyNothingShown(pieces, { browserLines, samples }, learned.expected)
  return why ?? [...learned.expected.values()].join('\n')
}

const twice = <T>(one: T): readonly T[] => [one, one]

describe('a line that the agent quoted', () => {
  test('is expected as it was', () => {
    const line = 'status: "Total: €24.30"'
    expect(judge([open, sight(line)], twice([[], [line], [line]]))).toBe(line)
  })

  test('has patterns where it is another one each time', () => {
    const page = (id: string): readonly string[][] => [
      [],
      [`status: Order ${id} is placed`],
      [`status: Order ${id} is placed`],
    ]
    expect(judge([open, sight('status: Order 8f3a91c2 is placed')], [page('11f2cc9a'), page('0fa1b2c3')])).toMatch(
      /^status: Order \S+ is placed \(re\)$/,
    )
  })

  test('is none where a plain number counts on, or where it is not there', () => {
    const page = (count: number): readonly string[][] => [[], [`status: ${count} visits`], [`status: ${count} visits`]]
    expect(judge([open, sight('status: 7 visits')], [page(8), page(9)])).toContain('something else')
    expect(judge([open, sight('status: 7 visits')], twice([[], ['x'], ['x']]))).toContain('something else')
  })
})

describe('a step shows nothing', () => {
  const cart = 'link "Cart (1)"'

  test('by what was on the page before its actions', () => {
    expect(judge([act, sight(cart)], twice([[], [cart], [cart], [cart]]), [open])).toContain('on the page before')
    expect(judge([act, sight(cart)], twice([[], ['x'], [cart], [cart]]), [open])).toBe(cart)
  })

  test('by what the agent knows of it', () => {
    expect(judge([open, sight(cart, 'it is what the step itself put there')], twice([[], [cart], [cart]]))).toContain(
      'it is what the step itself put there',
    )
  })

  test('that only looks, by what the first page of the scenario has', () => {
    const earlier = [open, act]
    expect(judge([sight(cart)], twice([[], [cart], [cart], [cart]]), earlier)).toContain('on the page before')
    expect(judge([sight(cart)], twice([[], ['x'], [cart], [cart]]), earlier)).toBe(cart)
  })

  test('but where one of several lines does', () => {
    const items = [act, sight('heading "Shop"'), sight(cart)]
    const pages = [[], ['heading "Shop"'], ['heading "Shop"', cart], ['heading "Shop"', cart], ['heading "Shop"', cart]]
    expect(judge(items, twice(pages), [open])).toBe(`heading "Shop"\n${cart}`)
  })
})

test('what is typed into a field for passwords is a secret, whatever the field is called', () => {
  const fill: BrowserItem = { kind: 'action', code: 'x', method: 'fill', values: ['daisy'] }
  const pieces = [{ kind: 'browser' as const, items: [fill] }] // a literal kind
  const browserLines = new Map([[0, fill]])
  const types = (passwords: readonly string[], known: string): boolean =>
    typesPassword(pieces, { browserLines, samples: [rehearsal([[], []], passwords)], known })
  expect(types(['daisy'], '')).toBe(true)
  expect(types(['rose'], '')).toBe(false)
  expect(types(['daisy'], 'Log in with daisy.')).toBe(false)
})
