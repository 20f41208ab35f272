import { describe, expect, test } from 'vitest'
import { quoteRegex } from '../../src/system/text/shell-and-regex-quotes.ts'
import { script, transcript, useBlocks } from './use-blocks.ts'

const open = useBlocks()

describe('what the user sets in the shell', () => {
  test.each([
    ['an ERR trap that exits', `trap 'echo "failed at line $LINENO"; exit' ERR`],
    ['an EXIT trap that exits', "trap 'exit 0' EXIT"],
    ['functions with the names of builtins', 'command() { :; }; set() { :; }; trap() { :; }'],
  ])('makes no later script green: %s', async (_what, code) => {
    const outcomes = await open().runAll([script(code), script('false\necho no')])
    expect(outcomes).toMatchObject([{ status: 'pass' }, { status: 'fail' }])
  })

  test.each([
    "trap 'echo user; exit 0' ERR",
    'err() { exit 0; }; trap err ERR || true',
    'set_up() { trap "exit 0" ERR; }; set_up',
    'echo \'trap "exit 0" ERR\' >lib.sh; . ./lib.sh',
    'echo \'trap "exit 0" EXIT\' >lib.sh; . ./lib.sh',
    'eval "trap \'exit 0\' ERR"',
  ])('takes no failure behind it away: %s', async (code) => {
    expect(await open().run(script(`${code}\nfalse\necho no`))).toMatchObject({ status: 'fail' })
  })

  test.each(['set -n', 'builtin() { :; }'])('is refused where nothing could be run behind it: %s', async (code) => {
    expect(await open().run(script(code))).toMatchObject({ status: 'fail' })
  })

  test('a trace shows the code of the user alone', async () => {
    for (const code of ['set -x', 'set -xv']) {
      const [, outcome] = await open().runAll([script(code), script('echo a', {}, [{ text: '+++ echo a\na' }])])
      expect(outcome).toMatchObject({ status: 'pass' })
    }
  })

  test.each([
    ['set -x\nfalse', '  +++ false'],
    ['set -v\nfalse', '  false'],
    ['set -v\ntrap "echo u >/dev/null" ERR\neval true\nfalse', '  eval true\n  true\n  false\n  echo u >/dev/null'],
    ['set -v\ntrue | false', '  true | false'],
    ['set -v\ntrap "echo u >/dev/null" EXIT\nfalse', '  trap "echo u >/dev/null" EXIT\n  false\n  echo u >/dev/null'],
  ])('a trace of a script that fails shows the code of the user alone: %j', async (code, trace) => {
    const { message } = await open().run(script(code))
    expect(message.split('stderr:\n').at(-1)).toMatch(new RegExp(`${quoteRegex(trace)}$`))
    expect(message).not.toMatch(/__mdtest_|builtin/)
  })
})

test.each([['eval false'], ['eval "(exit 3)" || exit 1'], ['echo false >lib.sh; . ./lib.sh']])(
  'the exit code of what the shell reads is kept: %s',
  async (code) => {
    const blocks = [script(code), script(code, { errexit: 'off' }), transcript(`$ ${code}`)]
    for (const block of blocks) expect(await open().run(block)).toMatchObject({ status: 'fail' })
  },
)

describe('a here-document without an end', () => {
  const told = { status: 'fail', isBroken: true, message: expect.stringContaining('a line `EOF`') }
  const code = 'cat <<EOF\nhello\nEOFF\nfalse'

  test.each(['true', 'exec 2>/dev/null', 'exec 2>&-'])('is told after `%s`', async (first) => {
    expect(await open().run(script(`${first}\n${code}`))).toMatchObject({ ...told, line: 12 })
  })

  test.each([
    ['`eval`', script(`eval '${code}'`)],
    ['`eval` in a function', script(`f() { eval '${code}'\n}\nf`)],
    ['a file', script(`echo '${code}' >lib.sh\n. ./lib.sh`)],
    ['a file that a file reads', script(`echo '${code}' >deep.sh; echo '. ./deep.sh' >lib.sh\n. ./lib.sh`)],
    ['`builtin eval`', script(`builtin eval '${code}'`)],
    ['a file of any name', script(`lib=lib.sh; echo '${code}' >$lib\nsource "$PWD/$lib"`)],
    ['another bash', script(`bash -c '${code}'`)],
    ['a service', script(code, { background: true, exit: 0 })],
    ['a transcript', transcript(`$ ${code.replaceAll('\n', '\n> ')}\nhello\nEOFF\nfalse`)],
  ])('is told in %s', async (_where, block) => {
    expect(await open().run(block)).toMatchObject(told)
  })

  test.each([
    "eval 'cat <<EOF\nhello\nEOF'",
    'x=$(cat <<EOF\nhello\nEOF\n)',
    "cat <<\\A <<-'B C'\n$(\nA\n\tb\n\tB C",
    'echo "<<EOF" $((1<<2)) <<<EOF # <<EOF',
    `printf 'cat <<EOF\nhello' >product\nbash product`,
    `printf 'cat <<EOF\nhello' >product; echo A=1 >lib.sh\n. ./lib.sh\nbash product`,
    `b=ba; printf "\${b}sh -c 'cat <<EOF\nhello'" >product\nsh product`,
    `printf 'cat <<EOF\nhello' >product\nfind . -name product\nbash product`,
  ])('is not seen in %j', async (honest) => {
    expect(await open().run(script(honest))).toMatchObject({ status: 'pass' })
  })
})

test('a failure tells whether the block itself is at fault', async () => {
  const { run } = open()
  const broken = [
    'nodde app',
    'nodde list | grep 3',
    'if then\nfi',
    'set -u; echo $no',
    'cd /; ./etc',
    '[ "$(nodde)" = 3 ]',
    ...['nodde', './nodde', '/etc', 'timeout 5 nodde', 'echo a | nodde'].map((part) => `${part} 2>/dev/null | grep 3`),
    '[ "$(nodde 2>/dev/null | wc -l)" = 3 ]',
    'f() { nodde 2>/dev/null | sort; }\nif f | grep -q 3; then :; else exit 1; fi',
    'node nope.mjs',
    'sh nope.sh',
    'perl nope.pl',
    'python3 nope.py',
    'echo "import \'./gone.mjs\'" > a.mjs; node a.mjs',
    'echo "require(\'gone\')" > a.cjs; node a.cjs',
    'echo "let a = = 1" > b.mjs; node b.mjs',
    'echo "import gone" > a.py; python3 a.py',
    'echo "from json import gone" > a.py; python3 a.py',
    'mkdir -p d; echo "import \'./d\'" > a.mjs; node a.mjs',
    'echo "import { gone } from \'node:fs\'" > a.mjs; node a.mjs',
    'echo "def a(:" > b.py; python3 b.py',
    ...['[ 1 -eq x ]', '[[ 1 -eq ]]', 'test a b c', 'python3 -c "if then"', 'echo "if then" | python3'],
    ...["sh -c 'nodde || exit 1'", `printf 'x:\n\tnodde y\n' >Makefile; make x`],
  ]
  for (const code of broken) expect(await run(script(code)), code).toMatchObject({ status: 'fail', isBroken: true })
  expect(await run(transcript('$ nodde x\nhello'))).toMatchObject({ isBroken: true })
  const hidden = 'nodde 2>/dev/null | grep 3'
  expect(await run(transcript(`$ ${hidden}`))).toMatchObject({ isBroken: true })
  expect(await run(script(hidden, { errexit: 'off' }))).toMatchObject({
    isBroken: true,
    message: expect.stringContaining('A command before a `|` could not be started'),
  })
  expect(await run(script('true', { cwd: 'nowhere' }))).toMatchObject({ isBroken: true })
  const own = [
    'echo 3 | grep 4',
    'cat nothing',
    'cat nothing 2>/dev/null | grep 4',
    'yes | head -1 | grep n',
    'command -v nodde | grep 4',
    'if ! nodde 2>/dev/null; then false; fi',
    'date +%s 2>/dev/null || gdate +%s; false',
    'echo "nodde 2>/dev/null; exit 1" >product; bash product',
    'sh -c "cat < nothing"',
    `node -e 'JSON.parse("{")'`,
    `python3 -c 'eval("(")'`,
    `python3 -c 'exec("if then")'`,
    'echo "usage: product FILE" >&2; exit 2',
    `printf 'x:\n\tfalse\n' >Makefile; make x`,
  ]
  for (const block of [...own.map((code) => script(code)), transcript('$ echo a\nb')]) {
    expect(await run(block)).not.toHaveProperty('isBroken')
  }
})

test.each([
  'if ! nodde 2>/dev/null; then :; fi',
  'nodde 2>/dev/null || :',
  'if nodde 2>/dev/null | grep 3; then :; fi',
])('a missing program is the business of the script: %s', async (code) => {
  const blocks = [script(code), transcript(`$ ${code}`)]
  expect(await open().runAll(blocks)).toMatchObject([{ status: 'pass' }, { status: 'pass' }])
})
