import { describe, expect, test } from 'vitest'
import type { BrowserCommand, BrowserText, BrowserValue, Control } from '../../../src/spec/browser/browser-line.ts'
import { controlTexts, plainVerbs, valueVerbs } from '../../../src/spec/browser/browser-line.ts'
import { formatBrowserLine } from '../../../src/spec/browser/format-browser-line.ts'
import { parseBrowserBlock } from '../../../src/spec/browser/parse-browser-block.ts'
import { roles } from '../../../src/spec/browser/roles.ts'
import fc, { anyCharacter } from '../../support/fast-check.ts'
import { collectProblems } from '../collect-problems.ts'

function read(code: string): { readonly lines: readonly BrowserCommand[]; readonly found: readonly string[] } {
  const { report, found } = collectProblems()
  const lines = parseBrowserBlock(code, { codeLine: 10, column: 3 }, report)
  return { lines: lines.map(({ line: _line, ...command }) => command), found }
}

const button = (name: string): Control => ({ by: 'role', role: 'button', name: [name] })
const coupon: Control = { by: 'role', role: 'textbox', name: ['Coupon'] }

describe('lines of a browser block', () => {
  test.each<[string, BrowserCommand]>([
    ['goto /cart', { kind: 'goto', address: ['/cart'] }],
    ['goto /orders/{{order}}?a=1,2', { kind: 'goto', address: ['/orders/', { recall: 'order' }, '?a=1,2'] }],
    ['goto "/a b"', { kind: 'goto', address: ['/a b'] }],
    ['click button "Apply"', { kind: 'act', verb: 'click', control: button('Apply'), values: [] }],
    ['fill textbox "Coupon" "SPRING10"', { kind: 'act', verb: 'fill', control: coupon, values: [['SPRING10']] }],
    ['fill textbox "Coupon" ""', { kind: 'act', verb: 'fill', control: coupon, values: [[]] }],
    ['fill textbox "x"', { kind: 'act', verb: 'fill', control: { by: 'role', role: 'textbox' }, values: [['x']] }],
    ['type textbox "Coupon" $CODE', { kind: 'act', verb: 'type', control: coupon, values: [{ variable: 'CODE' }] }],
    ['fill textbox "Coupon" "$CODE"', { kind: 'act', verb: 'fill', control: coupon, values: [{ variable: 'CODE' }] }],
    [String.raw`fill textbox "Coupon" "\$CODE"`, { kind: 'act', verb: 'fill', control: coupon, values: [['$CODE']] }],
    ['fill textbox "Coupon" "$5"', { kind: 'act', verb: 'fill', control: coupon, values: [['$5']] }],
    [
      'select listbox "Size" "S", "M"',
      { kind: 'act', verb: 'select', control: { by: 'role', role: 'listbox', name: ['Size'] }, values: [['S'], ['M']] },
    ],
    [
      'click button "Remove" exactly in listitem with "Milk" in list "Cart"',
      {
        kind: 'act',
        verb: 'click',
        values: [],
        control: {
          by: 'role',
          role: 'button',
          name: ['Remove'],
          isExact: true,
          within: {
            by: 'role',
            role: 'listitem',
            hasText: ['Milk'],
            within: { by: 'role', role: 'list', name: ['Cart'] },
          },
        },
      },
    ],
    ['check testid "terms"', { kind: 'act', verb: 'check', control: { by: 'testid', name: ['terms'] }, values: [] }],
    ['press Enter', { kind: 'press', key: 'Enter' }],
    ['press Control+"', { kind: 'press', key: 'Control+"' }],
    ['press textbox "Coupon" Enter', { kind: 'press', control: coupon, key: 'Enter' }],
    ['drag button "A" to button "to B"', { kind: 'drag', control: button('A'), to: button('to B') }],
    ['accept dialog', { kind: 'dialog', accepts: true }],
    ['accept dialog "Ada"', { kind: 'dialog', accepts: true, text: ['Ada'] }],
    ['dismiss dialog', { kind: 'dialog', accepts: false }],
    ['reload', { kind: 'history', move: 'reload' }],
    ['- status: "Total: €24.30"', { kind: 'see', text: 'status: "Total: €24.30"', isAbsent: false }],
    ['! button "Обновить" [disabled]', { kind: 'see', text: 'button "Обновить" [disabled]', isAbsent: true }],
    [String.raw`- text: {{order:/\d+/}}`, { kind: 'see', text: String.raw`text: {{order:/\d+/}}`, isAbsent: false }],
    [
      String.raw`click link "Say \"ja\" \\ \u202e {{who}} \{{who}}"`,
      {
        kind: 'act',
        verb: 'click',
        values: [],
        control: { by: 'role', role: 'link', name: ['Say "ja" \\ \u202e ', { recall: 'who' }, ' {{who}}'] },
      },
    ],
  ])('%s', (code, expected) => {
    expect(read(code)).toEqual({ lines: [expected], found: [] })
  })

  test.each<[string, string]>([
    ['clik button "Apply"', '10:3'],
    ['click buton "Apply"', '10:9'],
    ['click', '10:8'],
    ['click "Apply"', '10:9'],
    ['click button ""', '10:16'],
    ['click button "Apply', '10:16'],
    ['click button "Apply" twice', '10:24'],
    ['click button "Apply" in', '10:26'],
    ['click button exactly', '10:16'],
    ['click testid "x" exactly', '10:20'],
    ['click testid', '10:15'],
    ['click listitem with', '10:22'],
    [String.raw`click button "a\q"`, '10:18'],
    ['fill textbox', '10:15'],
    ['fill textbox "a" "b", "c"', '10:20'],
    ['fill "a"', '10:8'],
    ['press', '10:8'],
    ['press textbox "a b"', '10:17'],
    ['goto', '10:7'],
    ['goto /a b', '10:8'],
    ['goto "/a" b', '10:13'],
    ['drag button "A"', '10:18'],
    ['drag button "A" to', '10:21'],
    ['accept', '10:9'],
    ['dismiss dialog "x"', '10:18'],
    ['back 2', '10:8'],
    ['- ', '10:3'],
    ['- ...', '10:3'],
    ['- button "A" (?)', '10:3'],
    ['- .* (re*)', '10:3'],
    ['! text: {{a:/x/}}', '10:3'],
    ['  click button "Apply"', '10:3'],
  ])('%s is told of at %s', (code, place) => {
    expect(read(code)).toEqual({ lines: [], found: [`browser-line ${place}`] })
  })

  test('blank lines are passed over, and lines keep their places', () => {
    const { report, found } = collectProblems()
    const lines = parseBrowserBlock('back\n\n  \nforwards\r\nreload\r', { codeLine: 1, column: 1 }, report)
    expect(lines.map(({ line }) => line)).toEqual([1, 5])
    expect(found).toEqual(['browser-line 4:1'])
  })
})

const strings = fc.string({
  unit: fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 3 }),
    fc.constantFrom(...'"\\{}$,: \n\tabß€日\u202e'.split('')),
  ),
})
const names = fc.constantFrom('order', '_x', 'A1')
const texts: fc.Arbitrary<BrowserText> = fc
  .array(
    fc.oneof(
      strings,
      names.map((recall) => ({ recall })),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.reduce<BrowserText[number][]>(join, []))
const someText = texts.filter((text) => text.length > 0)
const values: fc.Arbitrary<BrowserValue> = fc.oneof(
  texts,
  names.map((variable) => ({ variable })),
)
const controls: fc.Arbitrary<Control> = fc.letrec<{ control: Control }>((tie) => ({
  control: fc
    .tuple(
      fc.oneof(
        fc.record({ by: fc.constant('role' as const), role: fc.constantFrom(...roles) }),
        fc
          .tuple(
            fc.record({ by: fc.constant('role' as const), role: fc.constantFrom(...roles), name: someText }),
            fc.boolean(),
          )
          .map(exactly),
        fc
          .tuple(fc.record({ by: fc.constantFrom(...controlTexts.slice(1)), name: someText }), fc.boolean())
          .map(exactly),
        fc.record({ by: fc.constant('testid' as const), name: someText }),
      ),
      fc.option(someText, { nil: undefined }),
      fc.option(tie('control'), { nil: undefined, maxDepth: 2 }),
    )
    .map(([base, hasText, within]) => ({ ...base, ...(hasText && { hasText }), ...(within && { within }) })),
})).control

function exactly<T extends object>([control, isExact]: [T, boolean]): T {
  return { ...control, ...(isExact && { isExact }) }
}

function join(parts: BrowserText[number][], part: BrowserText[number]): BrowserText[number][] {
  const last = parts.at(-1)
  if (part === '') return parts
  return typeof part === 'string' && typeof last === 'string' ? [...parts.slice(0, -1), last + part] : [...parts, part]
}

test('what is written is read again, whatever stands in it', () => {
  const commands: fc.Arbitrary<BrowserCommand> = fc.oneof(
    fc.record({ kind: fc.constant('goto' as const), address: texts }),
    fc.record({
      kind: fc.constant('act' as const),
      verb: fc.constantFrom(...plainVerbs),
      control: controls,
      values: fc.constant([]),
    }),
    fc.record({
      kind: fc.constant('act' as const),
      verb: fc.constantFrom(...valueVerbs),
      control: controls,
      values: values.map((one) => [one]),
    }),
    fc.record({
      kind: fc.constant('act' as const),
      verb: fc.constant('select' as const),
      control: controls,
      values: fc.array(values, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('drag' as const), control: controls, to: controls }),
    fc.record({
      kind: fc.constant('press' as const),
      control: controls,
      key: fc.constantFrom('Enter', 'Control+A', '"', ','),
    }),
    fc.record({ kind: fc.constant('dialog' as const), accepts: fc.constant(true), text: values }),
  )
  fc.assert(
    fc.property(commands, (command) => {
      const line = formatBrowserLine(command)
      expect(line).not.toMatch(/[\n\r]/)
      expect(read(line)).toEqual({ lines: [command], found: [] })
    }),
  )
})

test('no text makes the reader fail, and what is read is written as the same', () => {
  const word = fc.constantFrom(
    ...['click', 'fill', 'press', 'goto', 'button', 'in', 'with', 'exactly', '"a"', '"$A"', ',', '"', '- ', '! '],
    ...['{{a}}', '\\', 'to', 'dialog'],
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(word, strings)), (parts) => {
      for (const line of read(parts.join(' ')).lines) expect(read(formatBrowserLine(line)).lines).toEqual([line])
    }),
  )
})
