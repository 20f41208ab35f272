import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { useFolders } from '../use-folder.ts'
import { createQuoteFinder } from '../../../src/host/evidence/find-quote.ts'
import type { ToolOutput } from '../../../src/host/evidence/kept-outputs.ts'
import { lineFacts, type LineFacts } from '../../../src/executor/line-facts.ts'
import { OwnWords, SpecWords } from '../../../src/host/evidence/own-words.ts'

const newFolder = useFolders()

const outcome = async (
  quote: string | { readonly quote: string; readonly step: string },
  outputs: readonly ToolOutput[],
  options: Parameters<typeof createQuoteFinder>[1] = {},
): Promise<string> => {
  const found = await createQuoteFinder(outputs, options)(typeof quote === 'string' ? { quote } : quote)
  if (!found.isFound) return `no: ${found.problem}`
  return found.problem === undefined ? 'yes' : `weak: ${found.problem}`
}
const printed = (quote: string, text: string): Promise<string> => outcome(quote, [{ endedAtMs: 1, text }])

describe('a quote is whole lines, or the first words of one', () => {
  const text = '\u001b[31mFailed: 10\u001b[0m\n 0 passed\n\n\t- done  now,\n│ end │\n[=> ] 40%\r[==>] 100%\n'
  test.for([
    ...[
      'Failed: 10',
      '0 passed',
      '- done now,',
      '│ end │',
      '[==>] 100%',
      'Failed: 10\n0 passed',
      'Failed: 10 0 passed',
    ],
    ...['0 passed\n\n- done now,', '- done', '│ end'],
  ])('%j', async (quote) => {
    expect(await printed(quote, text)).toBe('yes')
  })

  test.for([...['10', 'end', 'done now,', 'Failed: 1', '10 0 passed', 'passed\n- done now,', '100%']])(
    'not %j',
    async (quote) => {
      expect(await printed(quote, text)).toMatch(/^weak: .*only a part of the line/)
    },
  )

  test.for([
    ['0 failed', '10 failed'],
    ['ok 1 - works', 'not ok 1 - works'],
    ['$24.00', 'total: -$24.00'],
    ['done', '~~done~~'],
    ['24', '<24'],
    ['1 [x] milk', '- 1 [x] milk'],
    ['list a', 'a list '.repeat(100)],
    ['total: 1', 'total: 1,000'],
    ['failed: 5', 'failed: 5%'],
    ['ok', 'ok: false'],
  ])('what stands beside it can say the opposite: %j is not in %j', async ([quote = '', line = '']) => {
    expect(await printed(quote, line)).toMatch(/^weak: /)
  })

  test('or a long part of a line that nobody would copy', async () => {
    const line = `${'{"id":1},'.repeat(60)}{"title":"milk and eggs"}`
    expect(await printed('{"title":"milk and eggs"}', line)).toBe('yes')
    expect(await printed('itle":"milk and eggs"}', line)).toMatch(/^weak: /)
  })

  test.for([
    ['1 [x] milk', '- listitem [ref=e2]: 1 [x] milk'],
    ['Pay', '- button "Pay" [ref=e1]'],
    ['button "Pay"', '- button "Pay" [ref=e1]'],
    ['"done":true', '{"id":1,"done":true}'],
  ])('or a whole text of a page: %j in %j', async ([quote = '', page = '']) => {
    expect(await outcome(quote, [{ endedAtMs: 1, text: page, hasTexts: true }])).toBe('yes')
    expect(await printed(quote, page)).toMatch(/^weak: /)
  })

  test.for([
    ['confirmed', '- text: Order not confirmed'],
    ['$5.00', '- cell "-$5.00" [ref=e1]'],
    ['1', '{"id":12}'],
  ])('but no part of one: %j in %j', async ([quote = '', page = '']) => {
    expect(await outcome(quote, [{ endedAtMs: 1, text: page, hasTexts: true }])).toMatch(/^weak: /)
  })
})

describe('a quote is what the product printed, and no word of the agent', () => {
  /** By the rule `Bash(node notes.mjs *)`. */
  const call = async (
    title: string,
    text: string,
    more: { readonly quote?: string; readonly spec?: string; readonly before?: readonly string[] } = {},
  ): Promise<string> => {
    const { path: home, at } = newFolder()
    writeFileSync(at('notes.mjs'), '')
    const { quote = text, spec = '', before = [] } = more
    const words = new SpecWords(spec)
    const own = new OwnWords(words)
    const facts = (line: string): LineFacts => {
      const read = lineFacts(line, { home, directories: [home], allow: ['Bash(node notes.mjs *)'], isNamed })
      own.add(read.given)
      own.addRows(read.rows)
      own.addTemplates(read.templates)
      return read
    }
    for (const line of before) facts(line)
    const { doubt } = facts(title)
    const output = { endedAtMs: 1, text, ...(doubt !== undefined && { doubt }) }
    return (await outcome(quote, [output], { ownWords: own })).slice(0, 4)
  }
  const isNamed = (): boolean => false
  const milk = '1 [ ] milk'

  test.for([
    ...[`node -p "'1 [ ]'+' milk'"`, `bash -c 'echo "1 [ ] milk"'`, `echo '1 [ ]'' milk' | cat`, `cat <<<'1 [ ] milk'`],
    ...['a="1 [ ] milk"; echo "$a"', 'echo "$a"', 'cat expected.txt', 'git log -p', 'date', 'grep milk expected.txt'],
    ...['node notes.mjs list | cut -c2-', 'node notes.mjs list | grep milk', 'node notes.mjs list; git show'],
    ...['node other.mjs list', 'echo x | node', 'node notes.mjs list > out.txt; cat out.txt', 'python3 app.py'],
    ...['o=$(node notes.mjs list); echo "${o:1}"', 'echo "$(node notes.mjs list)"', 'sed -n 1p expected.txt'],
    ...['node notes.mjs show 1 || echo "1 [ ] milk"', `node notes.mjs search "1 [ ] milk"`],
  ])('%j proves nothing', async (title) => {
    expect(await call(title, milk)).toBe('weak')
  })

  test.for([
    ...['[ "$(cat f)" -eq 1 ]', 'sleep "$(cat f)"', 'wait "$x"', 'exit "$(cat f)"', 'true "$(cat f >&2)"', 'cat f >&2'],
    ...['for a in "$(cat f >&2)"; do true; done', 'case "$(cat f >&2)" in x) ;; esac', 'ls f', 'cat f > /dev/null'],
    ...['mkdir "$(cat f)"', 'read -r "$(cat f)"', 'timeout "$(cat f)" sleep 1', 'pushd /usr', 'cd "$d"'],
  ])('%j beside the product has a part in the output', async (other) => {
    expect(await call(`${other}; node notes.mjs list`, milk)).toBe('weak')
    expect(await call(`node notes.mjs list; ${other}`, milk)).toBe('weak')
  })

  test.for([
    'node notes.mjs list',
    'node notes.mjs add milk && node notes.mjs list',
    'sleep 1; set -e; node notes.mjs list 2>&1; cd .; rm -f x',
    'id=$(node notes.mjs add tea); node notes.mjs show "$id"',
    'timeout 5 node notes.mjs list; wait',
    'node ./notes.mjs list',
    'for n in 1 2; do node notes.mjs show $n; done',
  ])('%j proves what it prints', async (title) => {
    expect(await call(title, milk)).toBe('yes')
  })

  test('words that were handed to the product are none of its own, in any later call', async () => {
    expect(await call('node notes.mjs add milk', 'added 1: milk')).toBe('yes')
    expect(await call('node notes.mjs add milk', 'milk')).toBe('weak')
    expect(await call('node notes.mjs calc 13 - 10', '3')).toBe('yes')
    expect(await call('node notes.mjs calc 3 + 0', '3')).toBe('weak')
    const before = ['node notes.mjs add $"x\n1 [ ] milk"']
    expect(await call('node notes.mjs list', milk, { before })).toBe('weak')
    expect(await call('node notes.mjs list', milk, { before: ['echo "1 [ ] milk"', 'grep "1 [ ] milk" f'] })).toBe(
      'yes',
    )
    expect(await call('node notes.mjs list', milk, { before: ['echo "1 [ ] milk" > f'] })).toBe('weak')
  })

  test('unless the spec has the agent give them', async () => {
    const spec = 'Add `milk`.\n\n- [ ] The list shows `1 [ ] milk`.'
    expect(await call('node notes.mjs list', 'milk', { spec, before: ['node notes.mjs add milk'] })).toBe('yes')
  })

  test.for([
    `node notes.mjs add '1 [x] milk'`,
    `node notes.mjs add 1 '[x]' milk`,
    `node notes.mjs add $'1 \\x5bx] milk'`,
    `for a in '1 [x'; do for b in '] milk'; do node notes.mjs add "$a$b"; done; done`,
    `printf '1 [x] milk' | node notes.mjs import`,
    `node notes.mjs add "1 [x] $(node notes.mjs list)"`,
    `printf '%s%s\\n' '1 [x' '] milk' | node notes.mjs import`,
  ])('nor are they in a frame, where they are what a check wants to see: %s', async (before) => {
    const spec = 'Tick it off.\n\n- [ ] The list shows `1 [x] milk`.'
    expect(await call('node notes.mjs list', '1 [ ] 1 [x] milk', { spec, before: [before] })).toBe('weak')
    expect(await call('node notes.mjs list', '1 [x] milk', { spec, before: ['node notes.mjs done 1'] })).toBe('yes')
  })
})

describe('a quote was printed for its own step', () => {
  const outputs = [
    { endedAtMs: 1, text: 'added milk\n1 note', step: '1-add' },
    { endedAtMs: 3, text: 'the list', step: '2-list' },
  ]
  const options = { lastReportAtMs: 2 }

  test('or backs nothing', async () => {
    expect(await outcome('the list', outputs, options)).toBe('yes')
    const weak = await outcome('1 note', outputs, options)
    expect(weak).toMatch(/^weak: .*before the last report, for the step `1-add`.*"step": "1-add"/)
  })

  test('unless the report names the earlier one', async () => {
    expect(await outcome({ quote: '1 note', step: '1-add' }, outputs, options)).toBe('yes')
    expect(await outcome({ quote: 'added milk', step: '1-add' }, outputs, options)).toBe('yes')
    expect(await outcome({ quote: '1 note', step: '2-list' }, outputs, options)).toMatch(/^weak: .*"step": "1-add"/)
  })
})

test('of several places the best one counts', async () => {
  const outputs = [
    { endedAtMs: 1, text: '1 [ ] milk', step: 'a' },
    { endedAtMs: 2, text: '1 [ ] milk', step: 'a', doubt: 'It was read.' },
    { endedAtMs: 3, text: '11 [ ] milk', step: 'a' },
  ]
  expect(await outcome('1 [ ] milk', outputs)).toBe('yes')
})

test('a search that takes longer than it may is over, and says so', async () => {
  const dashes = '-'.repeat(1024 * 1024)
  const outputs = Array.from({ length: 16 }, (_, n) => ({ endedAtMs: n, text: `${n} ${dashes}` }))
  const findQuote = createQuoteFinder(outputs, { maxSearchMs: 0 })
  const found = []
  for (let n = 0; n < 3; n += 1) found.push(await findQuote({ quote: `${'-'.repeat(100)} ${n} is missing` }))
  expect(found.at(-1)).toEqual({
    isFound: false,
    problem: expect.stringContaining('was not looked for: the search for all quotes took longer than 0 s. Cite fewer'),
  })
})

test('what a call in a browser printed that failed is no evidence, though it is found', async () => {
  const failure = { endedAtMs: 2, text: '- done scrolling', hasTexts: true, isFailure: true }
  expect(await outcome('done scrolling', [failure])).toMatch(/^weak: .*by a call that failed/)
  expect(await outcome('done scrolling', [{ endedAtMs: 1, text: '- done scrolling', hasTexts: true }, failure])).toBe(
    'yes',
  )
})
