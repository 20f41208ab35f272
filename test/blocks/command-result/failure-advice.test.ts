import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Block } from '../../../src/spec/spec.ts'
import { script, transcript, useBlocks } from '../use-blocks.ts'

const open = useBlocks()

/** Gives the message of a block that fails. */
function openAdvice(): (block: Block, timeoutMs?: number) => Promise<string> {
  const { run, cwd } = open()
  writeFileSync(join(cwd, 'plain'), 'echo hi\n')
  return async (block, timeoutMs) => {
    const { message, status } = await run(block, timeoutMs)
    expect(status).not.toBe('pass')
    return message
  }
}

describe('a failure is told with a way out:', () => {
  const rows: readonly (readonly [code: string, advice: string])[] = [
    [
      'frobnicate --now',
      "The program `frobnicate` is not on PATH. Install it, or correct the name. Where it may be missing, `requires: ['bin:frobnicate']` in the front matter skips the spec.",
    ],
    ['true | frobnicate | cat', 'The program `frobnicate` is not on PATH.'],
    ['sh -c "frobnicate"', 'The program `frobnicate` is not on PATH.'],
    ['env frobnicate', 'The program `frobnicate` is not on PATH.'],
    ['./nowhere', 'There is no file `./nowhere`. A relative path begins in'],
    [
      './plain',
      '`./plain` may not be executed. Allow it, `chmod +x ./plain`, or name its interpreter, such as `bash ./plain`.',
    ],
    ['read answer', 'A block has no standard input: nobody can type an answer. Pass the answer, with `<<< y`'],
    ['printf "Continue? [y/N] "; IFS= read -r answer; [ "$answer" = y ]', 'A block has no standard input'],
    ['printf "Your name: "; exit 1', 'A block has no standard input'],
    [`python3 -c 'input("Name")'`, 'A block has no standard input'],
    ['printf %s “a b”; false', 'A typographic quote is a letter for bash: write `"` or `\''],
    ['echo pw > /dev/tty', 'A block has no standard input'],
  ]

  test.each([
    ['a script', (code: string) => script(code)],
    // One command is one line.
    ['a transcript', (code: string) => transcript(`$ ${code}\nfine`)],
  ])('the command of %s', async (_what, blockOf) => {
    const adviceFor = openAdvice()
    const told: Record<string, string> = {}
    for (const [code] of rows) told[code] = await adviceFor(blockOf(code))
    expect(told).toEqual(Object.fromEntries(rows.map(([code, advice]) => [code, expect.stringContaining(advice)])))
  })

  test('what prints nothing because it reads', async () => {
    expect(await openAdvice()(transcript('$ cat\nhello'))).toContain('A block has no standard input')
  })

  test('what never ends', async () => {
    expect(await openAdvice()(script('sleep 30'), 300)).toContain(
      'If it needs longer, set `timeout=5m` after the language of the block. If it is a server, move it into a block of its own that begins with "```sh background wait=port:8080".',
    )
  })

  test('a variable that blocks do not get', async () => {
    const { runAll } = open()
    const withheld = new Set(['API_URL', 'OTHER'])
    const [outcome] = await runAll([script('test -n "${API_URL}"')], { withheld })
    expect(outcome?.message).toContain(
      "`API_URL` is set outside, but blocks do not get it. To pass it on, write `requires: ['env:API_URL']` in the front matter.",
    )
    const [own] = await runAll([script('API_URL=x; test "$API_URL" = y')], { withheld })
    expect(own?.message).not.toContain('To pass it on')
  })
})

test('a line of a script that may be output is told of `console`', async () => {
  const { run } = open()
  const hint = 'If the line is expected output, call the block `console`, and begin each command with `$ `.'
  expect((await run(script('echo frobnicate\nfrobnicate'))).message).toContain(hint)
  expect((await run(script('frobnicate\necho hi'))).message).not.toContain('console')
  expect((await run(transcript('$ true\n$ frobnicate\nfine'))).message).not.toContain('call the block')
})

test('nothing is said that is not so', async () => {
  const codes = [
    ...['echo "Did it work?"; exit 1', 'echo "Error: no config"; exit 1', 'echo 5 | { read x; exit 1; }'],
    ...['cat < /dev/null; exit 1', 'while read -r line; do :; done < /dev/null; exit 3', 'if'],
    ...[`node -e 'JSON.parse("{")'`],
  ]
  const { run } = open()
  const told: Record<string, string> = {}
  for (const code of codes) told[code] = (await run(script(code))).message
  const advice = /has no standard input|PATH|may not be executed|There is no file/
  expect(Object.entries(told).filter(([, message]) => advice.test(message))).toEqual([])
})

test('an exit code that is expected is no mistake', async () => {
  const { run } = open()
  expect(await run(script('frobnicate', { exit: 127 }))).toMatchObject({ status: 'pass' })
})
