import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { script, transcript, useBlocks } from '../use-blocks.ts'

const open = useBlocks()

/** The last lines of the message of a block that fails. */
async function adviceFor(block: Parameters<ReturnType<typeof open>['run']>[0], timeoutMs?: number): Promise<string> {
  const { run, cwd } = open()
  writeFileSync(join(cwd, 'plain'), 'echo hi\n')
  writeFileSync(join(cwd, 'old'), '#!/no/such/interpreter\n', { mode: 0o755 })
  writeFileSync(join(cwd, 'binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0]), { mode: 0o755 })
  const { message, status } = await run(block, timeoutMs)
  expect(status).not.toBe('pass')
  return message
}

describe('a failure is told with a way out:', () => {
  test.each([
    [
      'frobnicate --now',
      "The program `frobnicate` is not on PATH. Install it, or correct the name. Where it may be missing, `requires: ['bin:frobnicate']` in the front matter skips the spec.",
    ],
    ['true | frobnicate | cat', 'The program `frobnicate` is not on PATH.'],
    ['sh -c "frobnicate"', 'The program `frobnicate` is not on PATH.'],
    ['env frobnicate', 'The program `frobnicate` is not on PATH.'],
    ['./nowhere', 'There is no file `./nowhere` in the directory where this block runs.'],
    [
      './plain',
      '`./plain` may not be executed. Allow it, `chmod +x ./plain`, or name its interpreter, such as `bash ./plain`.',
    ],
    ['/', '`/` is a directory.'],
    ['./old', 'The first line of `./old` names an interpreter that is not there.'],
    ['./binary', '`./binary` is no program for this machine.'],
    ['exit 127', 'Exit code 127 means that a program was not found.'],
    [
      'read answer',
      'It seems to wait for input, and standard input is empty in a block. Give `read` its answer: `read answer <<< y`.',
    ],
    ['printf "Continue? [y/N] "; IFS= read -r answer; [ "$answer" = y ]', 'It seems to wait for input'],
    ['printf "Your name: "; exit 1', 'It seems to wait for input'],
    [`python3 -c 'input("Name")'`, 'It seems to wait for input'],
    [
      'printf %s “a b”; false',
      '`“` is a typographic quote, which bash takes for a letter. Write `printf %s "a b"; false`.',
    ],
    ['ls —all', '`—all` begins with a long dash'],
    ['echo pw > /dev/tty', 'It seems to wait for input'],
  ])('%s', async (code, advice) => {
    expect(await adviceFor(script(code))).toContain(advice)
    // In a transcript one command is one line.
    expect(await adviceFor(transcript(`$ ${code}\nfine`))).toContain(advice)
  })

  test('what prints nothing because it reads', async () => {
    expect(await adviceFor(transcript('$ cat\nhello'))).toContain('It seems to wait for input')
  })

  test('what never ends', async () => {
    expect(await adviceFor(script('sleep 30'), 300)).toContain(
      'If it needs longer, write for example `timeout=5m` after the language of the block. If it is a server that should keep running, give it a block of its own: ```sh background.',
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

test.each([
  'echo "Did it work?"; exit 1',
  'echo "Error: no config"; exit 1',
  'echo 5 | { read x; exit 1; }',
  'cat < /dev/null; exit 1',
  'while read -r line; do :; done < /dev/null; exit 3',
  'if',
  `node -e 'JSON.parse("{")'`,
])('nothing is said that is not so: %s', async (code) => {
  const { run } = open()
  const { message } = await run(script(code))
  expect(message).not.toMatch(/seems to wait|PATH|may not be executed|There is no file/)
})

test('an exit code that is expected is no mistake', async () => {
  const { run } = open()
  expect(await run(script('frobnicate', { exit: 127 }))).toMatchObject({ status: 'pass' })
})
