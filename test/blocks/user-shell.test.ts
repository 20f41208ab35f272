import { describe, expect, test } from 'vitest'
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
})

test.each(['true', 'exec 2>/dev/null', 'exec 2>&-'])('after `%s` an open here-document is told', async (code) => {
  const outcome = await open().run(script(`${code}\ncat <<EOF\nhello\nEOFF\nfalse`))
  expect(outcome).toMatchObject({ status: 'fail', line: 12, message: expect.stringContaining('a line `EOF`') })
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
    'node nope.mjs',
    'sh nope.sh',
    'perl nope.pl',
    'python3 nope.py',
    'echo "import \'./gone.mjs\'" > a.mjs; node a.mjs',
    'echo "require(\'gone\')" > a.cjs; node a.cjs',
    'echo "let a = = 1" > b.mjs; node b.mjs',
    'echo "import gone" > a.py; python3 a.py',
    'echo "def a(:" > b.py; python3 b.py',
  ]
  for (const code of broken) expect(await run(script(code)), code).toMatchObject({ status: 'fail', isBroken: true })
  expect(await run(transcript('$ nodde x\nhello'))).toMatchObject({ isBroken: true })
  expect(await run(script('true', { cwd: 'nowhere' }))).toMatchObject({ isBroken: true })
  const own = [
    'echo 3 | grep 4',
    'cat nothing',
    'sh -c "cat < nothing"',
    `node -e 'JSON.parse("{")'`,
    `python3 -c 'eval("(")'`,
  ]
  for (const block of [...own.map((code) => script(code)), transcript('$ echo a\nb')]) {
    expect(await run(block)).not.toHaveProperty('isBroken')
  }
})
