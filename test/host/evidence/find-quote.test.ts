import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { useFolders } from '../use-folder.ts'
import { createQuoteFinder } from '../../../src/host/evidence/find-quote.ts'
import type { ToolOutput } from '../../../src/host/evidence/kept-outputs.ts'
import { lineFacts, type LineFacts } from '../../../src/permissions/line-evidence.ts'
import { OwnWords, SpecWords } from '../../../src/host/evidence/agents-own-words.ts'
import { OwnWork } from '../../../src/host/evidence/agents-own-files.ts'

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

test.for([
  '> notes@1.0.0 add\n> node notes.mjs add milk',
  'node ./notes.mjs add "milk"',
  '+ python3 tools/add.py milk',
  '$ bash add.sh',
])('%j says what was started, not what came of it', async (line) => {
  expect(await printed(line, `\n${line}\n1 note\n`)).toMatch(/^weak: .*is a command/)
  const ownWords = new OwnWords(new SpecWords(`Expect:\n${line}`))
  expect(await outcome(line, [{ endedAtMs: 1, text: line }], { ownWords })).toBe('yes')
  expect(await printed(`${line}\n1 note`, `\n${line}\n1 note\n`)).toBe('yes')
})

test.for([
  ['Hello, shipped!', 'shipped', 'weak'],
  ['added: mug for 24.00', '24.00', 'weak'],
  ['Hello, Bob!', 'Bob', 'yes'],
  ['Total: 24.00', 'total', 'yes'],
  ['2 mugs, 24.00', '2', 'yes'],
] as const)(
  '%j, after the agent gave %j: words of checks that only it gave prove nothing',
  async ([line, given, is]) => {
    const spec = new SpecWords('# Ship\n\nAdd two mugs.\n\n- [ ] It prints "shipped".\n- [ ] The total is 24.00.\n')
    const output = { endedAtMs: 1, text: line, echoes: [given, 'order'] }
    expect(await outcome(line, [output], { ownWords: new OwnWords(spec) })).toMatch(new RegExp(`^${is}`))
    const ownWords = new OwnWords(spec)
    ownWords.addTyped([given])
    expect(await outcome(line, [{ endedAtMs: 1, text: line }], { ownWords })).toMatch(new RegExp(`^${is}`))
  },
)

test.for([
  'node v22.1.0 is ready',
  '> milk added',
  '> ada@example.com invited',
  'node us-east/a is down',
  'bash completion is on',
])('%j is output', async (line) => {
  expect(await printed(line, `${line}\n`)).toBe('yes')
})

describe('a quote is whole lines, or the first words of one', () => {
  const text = '\u001b[31mFailed: 10\u001b[0m\n 0 passed\n\n\t- done  now,\n│ end │\n[=> ] 40%\r[==>] 100%\n'
  test.for([
    ...['Failed: 10', '0 passed', '- done now,', '│ end │', '[==>] 100%', 'Failed: 10\n0 passed'],
    ...['0 passed\n\n- done now,', '- done', '│ end'],
  ])('%j', async (quote) => {
    expect(await printed(quote, text)).toBe('yes')
  })

  test.for([
    ...[
      '10',
      'end',
      'done now,',
      'Failed: 1',
      '10 0 passed',
      'passed\n- done now,',
      '100%',
      'Failed: 10 0 passed',
      'Failed:',
      '0',
    ],
  ])('not %j', async (quote) => {
    expect(await printed(quote, text)).toMatch(/^weak: .*only a part of the line/)
  })

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
    ['"qty":2', '{"item":"mug","qty":2}', 'yes'],
    ['"item": "mug"', '[{"item": "mug", "qty": 2}]', 'yes'],
    ['"item":"mug","qty":2', '{"id":1,"item":"mug","qty":2}', 'yes'],
    ['"qty":2', '{"item":"mug","qty":24}', 'weak'],
    ['"qty":2', '{"note":"not ,"qty":2}', 'weak'],
    ['mug', '{"item":"mug"}', 'weak'],
  ])('or whole pairs of JSON: %j in %j: %s', async ([quote = '', json = '', expected = '']) => {
    expect((await printed(quote, json)).slice(0, 4)).toBe(expected)
  })

  test.for([
    ['1 [x] milk', '- listitem [ref=e2]: 1 [x] milk'],
    ['Pay', '- button "Pay" [ref=e1]'],
    ['button "Pay"', '- button "Pay" [ref=e1]'],
    ['milk', '{"title":"milk"}'],
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

const ran = {
  ...({ kind: 'command', tool: 'run', files: [], written: [], created: [], isError: false, step: null } as const), // a literal
}
const wrote = (file: string): object => ({ kind: 'file', tool: 'write', use: 'edit', files: [file] })

describe('a quote is what the product printed, and no word of the agent', () => {
  const call = async (
    title: string,
    text: string,
    more: Partial<Record<'quote' | 'spec' | 'earlier', string>> & { readonly before?: readonly string[] } = {},
  ): Promise<string> => {
    const { path: home, at, write } = newFolder()
    writeFileSync(at('notes.mjs'), '')
    const { quote = text, spec = '', before = [] } = more
    for (const name of ['fixtures/old.json', 'own.json']) await write({ [name]: '[]' })
    const own = new OwnWork(spec, {
      ...{ cwd: home, logFile: at('a.logs/now.log.md'), servers: [], startedAtMs: 0, isExecutor: true },
      allow: ['Bash(node notes.mjs *)', 'Bash(npm run *)'],
      scratchDir: '/scratch',
      mayWrite: (name) => name === 'given.json',
    })
    const earlier = more.earlier === undefined ? [] : [{ endedAtMs: 0, text: more.earlier }]
    const taken = (line: string, printed: typeof earlier = []): ReturnType<OwnWork['take']> =>
      own.take({
        ...ran,
        title: line,
        begunAtMs: 0,
        endedAtMs: 0,
        earlier: printed,
        ...(line === 'write' && wrote(at('own.json'))),
      })
    for (const line of before) taken(line)
    const { doubt, echoes = [] } = taken(title, earlier)
    const output = { endedAtMs: 1, text, echoes, ...(doubt !== undefined && { doubt }) }
    return (await outcome(quote, [output], { ownWords: own.words })).slice(0, 4)
  }
  const milk = '1 [ ] milk'

  test.for([
    ...[`node -p "'1 [ ]'+' milk'"`, `bash -c 'echo "1 [ ] milk"'`, `echo '1 [ ]'' milk' | cat`, `cat <<<'1 [ ] milk'`],
    ...['a="1 [ ] milk"; echo "$a"', 'echo "$a"', 'cat expected.txt', 'git log -p', 'date', 'grep milk expected.txt'],
    ...['node notes.mjs list | cut -c2-', 'node notes.mjs list | grep milk', 'node notes.mjs list; git show'],
    ...['node other.mjs list', 'echo x | node', 'node notes.mjs list > out.txt; cat out.txt', 'python3 app.py'],
    ...['o=$(node notes.mjs list); echo "${o:1}"', 'echo "$(node notes.mjs list)"', 'sed -n 1p expected.txt'],
    ...['node notes.mjs show 1 || echo "1 [ ] milk"', `node notes.mjs search "1 [ ] milk"`],
    ...['echo "1 [ ] milk" | node notes.mjs import', String.raw`printf 'tea\n1 [ ] milk\n' | node notes.mjs import`],
    ...[String.raw`printf '1 [ ] mi\154k' | node notes.mjs import`, 'echo tea | node notes.mjs import | cat'],
    ...[String.raw`echo -e '1 [ ] mi\x6ck' | node notes.mjs import`, 'echo $a | node notes.mjs import'],
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
    'echo "$id" | node notes.mjs import',
    String.raw`printf 'milk\ntea\n' | node notes.mjs import && node notes.mjs list`,
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

  test('nor words that variables hand to it', async () => {
    const shown = 'node notes.mjs show $A $B'
    expect(await call(shown, milk, { before: ["A='1 [ ]'", 'B=milk'] })).toBe('weak')
    expect(await call(shown, milk, { before: ["export A='1 [ ]' B=milk"] })).toBe('weak')
    expect(await call(`A='1 [ ]'; node notes.mjs show "${'${A}'} milk"`, milk)).toBe('weak')
    expect(await call(shown, milk, { before: ['A=7', 'B=tea'] })).toBe('yes')
  })

  test.for([
    ...[`node notes.mjs add $(echo '1 [ ]') $(echo milk)`, `node notes.mjs add "$(printf '%s' '1 [ ' '] milk')"`],
    ...[`node notes.mjs add "$(printf '1 [ ]'; printf ' milk')"`, `(echo '1 [ ]'; echo milk) | node notes.mjs import`],
    ...[`node notes.mjs import < <(echo '1 [ ]'; echo milk)`, `a=('1 [ ]' milk); node notes.mjs add "\${a[@]}"`],
    ...[
      `read -r a b <<< 'milk 1 [ ]'; node notes.mjs add $b $a`,
      `echo milk | xargs -I{} node notes.mjs add '1 [ ]' {}`,
    ],
    ...[`node notes.mjs add $(echo '1,[ ],milk' | cut -d, -f1- --output-delimiter=' ')`],
    `if true; then a=$(echo '1 [ ]'); fi; b=milk; node notes.mjs add $a $b`,
  ])('nor words that a substitution, a pipe or `read` hands to it: %s', async (before) => {
    expect(await call('node notes.mjs list', milk, { before: [before] })).toBe('weak')
  })

  test('what one call of the product hands to the next stays its own', async () => {
    const before = [`o=$(node notes.mjs add tea)`, `id=$(printf '%s\n' "$o" | grep -o '[0-9]*')`]
    expect(await call('node notes.mjs show $id', milk, { before })).toBe('yes')
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
    String.raw`echo -e '1 \x5bx] milk' | node notes.mjs import`,
    `node notes.mjs add "1 [x] $(node notes.mjs list)"`,
    `printf '%s%s\\n' '1 [x' '] milk' | node notes.mjs import`,
  ])('nor are they in a frame, where they are what a check wants to see: %s', async (before) => {
    const spec = 'Tick it off.\n\n- [ ] The list shows 1 [x] milk.'
    expect(await call('node notes.mjs list', '1 [ ] 1 [x] milk', { spec, before: [before] })).toBe('weak')
    expect(await call('node notes.mjs list', '1 [x] milk', { spec, before: ['node notes.mjs done 1'] })).toBe('yes')
  })

  test('an id is a word of the product if the product printed it before the agent gave it', async () => {
    const [title, text] = ['node notes.mjs show d8ea4ca4', 'd8ea4ca4: paid']
    expect(await call(title, text)).toBe('weak')
    expect(await call(title, text, { earlier: 'order d8ea4ca4 opened' })).toBe('yes')
    expect(await call(title, text, { earlier: 'order d8ea4ca4 opened', before: [title] })).toBe('weak')
    expect(await call(title, text, { earlier: 'order d8ea4ca4 opened', spec: 'It prints "d8ea4ca4".' })).toBe('weak')
    expect(await call(title, text, { earlier: 'order xd8ea4ca4 opened' })).toBe('weak')
    const before = ['node notes.mjs say --id=d8ea4ca4']
    expect(await call(title, text, { earlier: 'order d8ea4ca4 opened', before })).toBe('weak')
  })

  /** By kind: the lines, of which the last one printed this, and what is quoted of it. */
  const lies: readonly (readonly [kind: string, lines: string | readonly string[], printed: string, quote?: string])[] =
    [
      ["npm's echo", 'npm run list -- "1 [x] milk"', '> node notes.mjs list 1 [x] milk'],
      [
        "npm's echo, on a line of its own",
        String.raw`npm run list -- $'a\n1 [x] milk'`,
        '> node notes.mjs list a\n1 [x] milk',
        '1 [x] milk',
      ],
      ["npm's complaint", 'npm run "1 [x] milk"', 'npm error Missing script: "1 [x] milk"'],
      ['a trace', ['set -x', 'node notes.mjs find "1 [x] milk"'], "+ node notes.mjs find '1 [x] milk'"],
      ["the shell's complaint", 'node notes.mjs list < "1 [x] milk"', 'bash: 1 [x] milk: No such file or directory'],
      ['that of a test', '[ "1 [x] milk" -eq 1 ]; node notes.mjs list', 'bash: [: 1 [x] milk: integer expected'],
      ['that of a writer', 'mkdir x; node notes.mjs list', 'mkdir: cannot create directory', 'mkdir: cannot'],
      ['what a writer tells', 'cp -v a b; node notes.mjs list', "'a' -> 'b'"],
      ['what jobs tell', 'jobs; node notes.mjs list', '[1]+ Running sleep 5'],
      ["the product's echo", 'node notes.mjs find "1 [x] milk"', 'nothing found for "1 [x] milk"'],
      ['its usage', 'node notes.mjs ad "1 [x] milk"', 'usage: notes add|list 1 [x] milk'],
      ['words in pieces', 'node notes.mjs ad 1 "[x]" milk', 'unknown command: ad 1 [x] milk'],
      ['a variable', ["a='1 [x] milk'", 'node notes.mjs say "$a"'], '1 [x] milk'],
      ['a variable in a pipe', ["a='1 [x] milk'", 'echo "$a" | node notes.mjs say'], '1 [x] milk'],
      ['lines that make one', 'for a in 1 "[x]" milk; do node notes.mjs say "$a"; done', '1\n[x]\nmilk', '1 [x] milk'],
      ['an echo in a file', ['node notes.mjs find "it is done" > out', 'cat out'], 'no "it is done"'],
      ['a file of its own', ['write', 'node notes.mjs --file own.json list'], '1 [x] milk'],
      ['the same behind <', ['write', 'node notes.mjs list < own.json'], '1 [x] milk'],
      ['an old fixture', 'node notes.mjs --file fixtures/old.json list', '1 [x] milk'],
      ['the same behind a variable', ['write', 'f=own.json', 'node notes.mjs --file "$f" list'], '1 [x] milk'],
      ['or an array, for a script', ['write', 'f=(own.json)', 'npm run list -- "${f[@]}"'], '1 [x] milk'],
      ['or a pattern', ['write', 'node notes.mjs list o[wx]n.*'], '1 [x] milk'],
      ['in its own folder', ['echo [] > "$MDTEST_SCRATCH/f"', 'node notes.mjs list "$TMPDIR/f"'], '1 [x] milk'],
      ['fixtures one by one', 'for f in fixtures/*; do node notes.mjs list --file "$f"; done', '1 [x] milk'],
      ['their folder behind a pattern', 'node notes.mjs list fix*', '1 [x] milk'],
      ['its folder', 'node notes.mjs --root=fixtures list', '1 [x] milk'],
      ['a word', 'node notes.mjs list', '1 [x] milk', '1'],
    ]
  const right = {
    checks: 'Tick it off.\n\n- [ ] 1 [x] milk is in the list.',
    prose: 'Tick it off. It prints "1 [x] milk".',
  }

  test.for(lies)('a lie: %s', async ([, lines, text, quote = text]) => {
    const before = [lines].flat()
    const title = before.pop() ?? ''
    for (const spec of Object.values(right)) expect(await call(title, text, { quote, spec, before })).toBe('weak')
  })

  test.for([
    ['node notes.mjs add "milk and honey"', 'added: milk and honey', 'Add it. It prints "added: milk and honey".'],
    ['node notes.mjs add "milk and honey"', 'added: milk and honey', 'Run `node notes.mjs add "milk and honey"`.'],
    ['node notes.mjs add milk', 'added: milk', 'Add milk.'],
    ['node notes.mjs add milk && node notes.mjs list', 'milk', 'Add milk, and list all.'],
    ['node notes.mjs --file fixtures/old.json list', milk, 'List the notes of `fixtures`.'],
    ['node notes.mjs sum one 1', 'one1', 'Run `node notes.mjs sum one 1`. It prints "one1".'],
    ['npm run list -- --long', milk, 'List the notes.'],
    ['node -e "list()"', milk, 'Run `node -e "list()"`.'],
    [
      String.raw`printf "%b" x | node notes.mjs list`,
      milk,
      '```sh\n' + String.raw`printf "%b" x | node notes.mjs list` + '\n```',
    ],
  ])('none: %s prints %j', async ([title = '', text = '', spec = '']) => {
    expect(await call(title, text, { spec })).toBe('yes')
  })

  test('a look that the spec asks for is still no product', async () => {
    expect(await call('cat expected.txt', milk, { spec: 'Compare with `cat expected.txt`.' })).toBe('weak')
  })

  test('nor is a word of its own idea in a list, which a later call shows', async () => {
    const before = ['node notes.mjs add "milk and honey"']
    for (const spec of ['Add a note.', 'Add "milk and honey".\n\n- [ ] The list shows "milk and honey"'])
      expect(await call('node notes.mjs list', '1 [ ] milk and honey', { spec, before })).toBe('yes')
  })
})

describe('exit code and silence are those of the product', () => {
  const facts = (line: string): LineFacts =>
    lineFacts(line, { home: '/p', directories: ['/p'], allow: ['Bash(node notes.mjs *)'], isNamed: () => false })
  const show = 'node notes.mjs show 9'

  test.for([...[show, `sleep 1; ${show}`, `${show}; ${show}`, `${show} && ${show}`]])('at the end of %j', (line) => {
    expect(facts(line).endsInProduct).toBe(true)
  })

  test.for([
    ...[`! ${show}`, `${show} || true`, `${show} && false`, `[ 1 = 2 ] && ${show}`, `cd sub && ${show}`, `${show} &`],
    ...[`(${show}; exit 0)`, `if ${show}; then ${show}; fi`, `timeout 1 ${show}`, `${show}; exit 3`, `${show} | cat`],
  ])('not at that of %j', (line) => {
    expect(facts(line).endsInProduct).toBe(false)
  })

  test('and what went elsewhere is no silence', () => {
    expect([show, `${show} 2>&1`, `${show} > f`, `${show} 2>/dev/null`].map((line) => facts(line).showsAll)).toEqual([
      ...[true, true, false, false],
    ])
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
