import { describe, expect, test } from 'vitest'
import { createQuoteFinder, type ToolOutput } from '../../../src/host/evidence/find-quote.ts'
import { lineFacts } from '../../../src/executor/line-facts.ts'
import { wantedWords, withoutQuotes } from '../../../src/host/evidence/own-words.ts'
import { quotableLines, quotableLinesOfLong } from '../../../src/host/evidence/quotable-lines.ts'
import { createTurns } from '../../../src/system/turns.ts'

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

describe('a quote begins and ends at borders of words', () => {
  test.for([
    ['0 failed', '10 failed'],
    ['0 failed', 'a 100 failed\n10 failed'],
    ['successful', 'unsuccessful'],
    ['successful', 'un-successful'],
    ['file is read', 'the file is read-only'],
    ['all of it is', "all of it isn't there"],
    ['valid email', 'invalid email'],
    ['Valid: yes', 'isValid: yes'],
    ['5 items', '1.5 items'],
    ['5 items', '-5 items'],
    ['5 items', '(−5 items)'],
    ['000 errors', '1,000 errors'],
    ['total: 1', 'total: 1,000'],
    ['total: 1', 'total: 1.5'],
    ['passed 10', 'passed 10/12'],
    ['failed: 5', 'failed: 5%'],
    ['failed: 5', 'failed: 5 %'],
    ['ber sind', 'die Bücher über sind'],
    ['gültig ist', 'ungültig ist'],
    ['成功しました', '不成功しました'],
    ['test_a', 'test_ab'],
    ['rdi', 'Jordi\nJo\u0308rdi'],
    ['took 12', 'took 12ms'],
  ])('%j is not in %j', async ([quote = '', text = '']) => {
    expect(await printed(quote, text)).toMatch(/^no: .*(inside a word|fewer than)/)
  })

  test.for([
    ['0 failed', '10 failed\n0 failed'],
    ['failed: 0', 'passed: 3, failed: 0, skipped: 1'],
    ['"title":"milk"', '{"id":1,"title":"milk"}'],
    ['milk │ 1', '│ milk │ 1 │'],
    ['| milk', '| milk | 1 |'],
    ['1 [ ] milk', '\u001b[31m1 [ ]\u001b[0m   milk'],
    ['über', 'die Bücher über\u00a0uns'],
    ['追加しました', '牛乳を追加しました'],
    ['合計は5', '合計は5個'],
    ['added', '✅added!'],
    ['localhost', 'http://localhost:3000/a'],
    ['--watch', 'usage: x --watch'],
    ['-5 items', 'it has -5 items.'],
    ['costs $5', 'costs $5.'],
    ['1,000.50', '€1,000.50'],
    ['v1.2.3', 'tool v1.2.3-beta'],
    ['done', '[=====>] 40%\r[=====>] 100%\rdone'],
    ['notes', 'notes.test.md'],
    ['2026', '2026-01-05T10:00:00Z'],
    ['1 [ ] milk', '+1 [ ] milk'],
  ])('%j is in %j', async ([quote = '', text = '']) => {
    expect(await printed(quote, text)).toBe('yes')
  })
})

describe('a quote is of one line, or whole lines', () => {
  const text = 'Failed: 10\n 0 passed\n\n\t- done  now,\n│ end │\n'
  test.for([
    'Failed: 10\n0 passed',
    'Failed: 10 0 passed',
    '0 passed\n\n- done now',
    'done now,\n│ end',
    '  done\n now',
  ])('%j', async (quote) => {
    expect(await printed(quote, text)).toBe('yes')
  })

  test.for(['10 0 passed', 'Failed: 10\n0', '10\n0 passed', 'passed\n- done'])('not %j', async (quote) => {
    expect(await printed(quote, text)).toContain('runs over the end of a line')
  })
})

describe('a quote is what the product printed, and no word of the agent', () => {
  /** By the rule `Bash(node notes.mjs *)`. */
  const call = async (
    title: string,
    text: string,
    more: { readonly quote?: string; readonly spec?: string; readonly written?: readonly string[] } = {},
  ): Promise<string> => {
    const { quote = text, spec = '', written = [] } = more
    const places = { home: '/', cwd: '/', allow: ['Bash(node notes.mjs *)'] }
    const { doubt, words: texts } = lineFacts(title, places)
    const own = { texts, isAsked: withoutQuotes(spec).includes(withoutQuotes(title)) }
    const output = { endedAtMs: 1, text, own, ...(doubt !== undefined && { doubt }) }
    const options = { written: written.map(quotableLines), wantedWords: wantedWords(spec) }
    return (await outcome(quote, [output], options)).slice(0, 4)
  }
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
    'node notes.mjs list',
    'node notes.mjs add milk && node notes.mjs list',
    'mkdir -p x && cd x; sleep 1; node notes.mjs list 2>&1',
    'id=$(node notes.mjs add tea); node notes.mjs show "$id"',
    'timeout 5 node notes.mjs list; wait',
    'echo tea > in.txt; node notes.mjs import in.txt',
  ])('%j proves what it prints', async (title) => {
    expect(await call(title, milk)).toBe('yes')
  })

  test('words that were handed to the product are none of its own', async () => {
    expect(await call('node notes.mjs add milk', 'added 1: milk')).toBe('yes')
    expect(await call('node notes.mjs add milk', 'added 1: milk', { quote: 'added 1' })).toBe('yes')
    expect(await call('node notes.mjs add milk', 'added 1: milk', { quote: 'milk' })).toBe('weak')
    expect(await call('node notes.mjs calc 13 - 10', '3')).toBe('yes')
    expect(await call('node notes.mjs calc 3 + 0', '3')).toBe('weak')
  })

  test('nor are they in a frame, where they are what the spec wants to see', async () => {
    const spec = 'The list shows "1 [x] milk". First `node notes.mjs add "milk and eggs"`.'
    const echoed = '> node notes.mjs find 1 [x] milk'
    expect(await call('node notes.mjs find "1 [x] milk"', echoed, { spec })).toBe('weak')
    expect(await call('node notes.mjs list', '1 [x] milk', { spec })).toBe('yes')
    expect(await call('node notes.mjs add "milk and eggs"', 'added milk and eggs', { spec })).toBe('yes')
    expect(await call('node notes.mjs add "milk and eggs"', 'added milk and eggs')).toBe('yes')
  })

  test('what the agent wrote into a file is its own in any later call', async () => {
    const written = ['first\n1 [ ] milk\n']
    expect(await call('node notes.mjs list', milk, { written })).toBe('weak')
    expect(await call('node notes.mjs list', 'added 1 [ ] milk', { written })).toBe('yes')
  })
})

describe('a quote was printed for its own step', () => {
  const outputs = [
    { endedAtMs: 1, text: 'added milk\n1 note', step: '1-add' },
    { endedAtMs: 3, text: 'the list', step: '2-list' },
  ]
  const options = { lastReportAtMs: 2, cited: [{ step: '1-add', quote: 'added milk' }] }

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

  test('and is not cited again without that', async () => {
    expect(await outcome('added milk', outputs, options)).toMatch(/^no: .*was cited for the step `1-add` already/)
    expect(await outcome('milk', outputs, options)).toMatch(/^no:/)
    const again = [...outputs, { endedAtMs: 4, text: 'added milk', step: '2-list' }]
    expect(await outcome('added milk', again, options)).toBe('yes')
  })
})

test('of several places the best one counts', async () => {
  const own = { texts: ['1 [ ] milk'], isAsked: false }
  const outputs = [
    { endedAtMs: 1, text: '1 [ ] milk', step: 'a' },
    { endedAtMs: 2, text: '1 [ ] milk', step: 'a', own },
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

test('a long output is read piece by piece, and comes out the same', async () => {
  const long = '  1 [ ]\u001b[32m milk \u001b[0m\r\n\n\tlast  line\u2028x'.repeat(20_000)
  expect(await quotableLinesOfLong(long, createTurns(20))).toEqual(quotableLines(long))
  const rest = `${'y'.repeat(200_000)}\n z `
  expect(await quotableLinesOfLong(rest, createTurns(20))).toEqual(quotableLines(rest))
  expect(await quotableLinesOfLong('', createTurns(20))).toEqual({ lines: '', flat: '' })
})

test('what a call in a browser printed that failed is no evidence, though it is found', async () => {
  const failure = { endedAtMs: 2, text: '- done scrolling', isFailure: true }
  expect(await outcome('done scrolling', [failure])).toMatch(/^weak: .*by a call that failed/)
  expect(await outcome('done scrolling', [{ endedAtMs: 1, text: '- done scrolling' }, failure])).toBe('yes')
})
