import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { useShells } from '../../support/use-shells.ts'
import type { Shell } from '../../../src/system/shell/open-shell.ts'
import type { ShellResult, ShellRunOptions } from '../../../src/system/shell/open-shell-result.ts'

// Another bash to try these with, for example 3.2.
const PATH = [process.env.MDTEST_TEST_BASH_DIR, process.env.PATH].filter(Boolean).join(':')
const openShell = useShells(() => ({ PATH, LANG: 'C.UTF-8' }))

interface Fixture {
  readonly shell: Shell
  readonly cwd: string
  /** Runs a script that stops at its first failure. */
  script(code: string, options?: Partial<ShellRunOptions>): Promise<ShellResult>
  /** What a command prints, as one of a transcript. */
  output(code: string): Promise<string>
}

function open(options: { readonly canRecover?: boolean } = {}): Fixture {
  const { shell, cwd } = openShell(options)
  const limits = { timeoutMs: 15_000, streams: 'merged' } as const
  return {
    shell,
    cwd,
    script: (code, options) => shell.run(code, { ...limits, isStrict: true, ...options }),
    output: async (code) => (await shell.run(code, limits)).stdout,
  }
}

/** What happened, in a word: the exit code, the line and what was printed. */
async function tried(code: string): Promise<string> {
  const { script } = open()
  const result = await script(code)
  if (result.status !== 'done') return result.status
  return `${result.exitCode} at ${result.failedLine ?? '?'}: ${result.stdout.trim().replaceAll('\n', ' ')}`
}

const oldBash = process.env.MDTEST_TEST_BASH_DIR !== undefined

test('after `set -o posix` the exit code is that of the command', async () => {
  const { script } = open()
  await script('set -o posix')
  expect(await script('true\n(exit 3)')).toMatchObject({ exitCode: 3, failedLine: 2, stdout: '' })
  expect(await script("trap 'echo user' ERR\nfalse")).toMatchObject({ exitCode: 1, stdout: 'user\n' })
})

describe('a strict run', () => {
  test.each([
    ['a command', 'echo a\nfalse\necho b', '1 at 2: a'],
    ['another exit code', 'echo a\n(exit 7)\necho b', '7 at 2: a'],
    ['a command that is not there', 'no-such-program 2>/dev/null\necho b', '127 at 1: '],
    ['`cd` into nowhere', 'true\n\ncd /no/such/dir 2>/dev/null\necho b', '1 at 3: '],
    ['the first of a pipe', 'echo a\nfalse | cat\necho b', '1 at 2: a'],
    ['the middle of a pipe', 'echo a | (cat; exit 3) | cat\necho b', '3 at 1: a'],
    ['an assignment', 'echo a\nx=$(exit 4)\necho b', '4 at 2: a'],
    ['a redirection', 'echo a\ncat 2>/dev/null </no/such/file\necho b', '1 at 2: a'],
    ['a subshell', 'echo a\n( echo b; false; echo c )\necho d', '1 at 2: a b'],
    ['a group', '{ echo a\nfalse\necho b; }\necho c', '1 at 2: a'],
    ['a function, at its call', 'f() {\n  echo a\n  false\n  echo b\n}\ntrue\nf\necho c', '1 at 7: a'],
    ['a function in a function', 'g() { false; }\nf() {\n  g\n}\nf\necho c', '1 at 5: '],
    ['the body of an `if`', 'if true; then\n  false\n  echo a\nfi\necho b', '1 at 2: '],
    ['the body of loops', 'for i in 1 2; do\n  while true; do\n    false\n  done\ndone\necho b', '1 at 3: '],
    ['the body of a `case`', 'case a in\n  a) false ;;\nesac\necho b', '1 at 2: '],
    ['the end of `&&`', 'echo a\ntrue && false\necho b', '1 at 2: a'],
    ['the end of `||`', 'echo a\nfalse || false\necho b', '1 at 2: a'],
    ['a here-document', 'echo a\ngrep z <<END\nx\ny\nEND\necho b', '1 at 2: a'],
    ['`wait` for a job that failed', 'false &\nwait $!\necho b', '1 at 2: '],
    ['`eval`', 'echo a\neval false\necho b', '1 at 2: a'],
    ['`[[`', 'echo a\n[[ a == b ]]\necho b', '1 at 2: a'],
    ['`((`', 'echo a\n((0))\necho b', '1 at 2: a'],
    ['`test`', 'echo a\n[ -f /no/such/file ]\necho b', '1 at 2: a'],
    ['the last command', 'echo a\nfalse', '1 at 2: a'],
    ['a loop in a pipe', 'echo a | while read -r x; do\n  false\ndone\necho b', '1 at 1: '],
    ['groups in a pipe', 'true\n{ echo a; } | {\n  cat; false; }\necho b', '1 at 2: a'],
    ['a command over several lines', 'echo a\ncat \\\n  /no/such/file 2>/dev/null\necho b', '1 at 3: a'],
    ['`exit` in a function', 'f() { exit 3; }\n\nf\necho b', '3 at 3: '],
    ['`return` of a function', 'f() { return 3; }\n\nf\necho b', '3 at 3: '],
    ['a writer that fails by itself', 'true\n(echo a; exit 3) | head -1\necho b', '3 at 2: a'],
    ['a writing function that fails', 'f() { echo a; false; echo c; }\nf | cat\necho b', '1 at 2: a'],
    ['a reader that fails early', 'true\nyes | (read -r x; exit 4)\necho b', '4 at 2: '],
    ['what a negated search finds', "! seq 1 200000 | grep -q '^5$'", '1 at ?: '],
  ])('stops at %s', async (_, code, expected) => {
    // bash 3.2 passes over these, with `bash -eo pipefail`, too.
    if (oldBash && /^\s*(?:\[\[|\(\()/m.test(code)) return
    expect(await tried(code)).toBe(expected)
  })

  test.each([
    ['a condition', 'if false; then :; fi\nwhile false; do :; done\necho b', 'b'],
    ['`||`', 'false || echo b', 'b'],
    ['`&&` before its end', 'false && true\necho b', 'b'],
    ['`!`', '! true\n! false\necho b', 'b'],
    ['a job in the background', 'false &\nsleep 0.05\necho b', 'b'],
    ['a substitution in an argument', 'echo "a$(false)"\necho b', 'a\nb'],
    ['`set +e`', 'set +e\nfalse\nset -e\necho b', 'b'],
    ['`set +o pipefail`', 'set +o pipefail\nfalse | true\necho b', 'b'],
    ['the condition of a function', 'f() { false; echo a; }\nif f; then echo b; fi', 'a\nb'],
    ['a writer whose reader has enough', "yes | head -1\nseq 1 200000 | grep -q '^5$'\necho b", 'y\nb'],
    ['one in a condition', "if seq 1 200000 | grep -q '^5$'; then echo b; fi", 'b'],
    ['builtins in a loop', 'f() { while :; do echo y; done; }\nf |& head -1\n{ f; } | head -1', 'y\ny'],
    ['one in a substitution', 'echo "$(yes | head -1) `yes | head -1`" | cat <(yes | head -1) -', 'y\ny y'],
    ['one that `exec` starts', 'exec yes | head -1 | cat', 'y'],
    ['a here-document', 'cat <<END | head -1\n$(yes | head -1)\n$(seq 1 100000)\nEND\necho b', 'y\nb'],
    ['one with a trap', "set -E; trap 'echo no' ERR\nyes | head -1\ntrap - ERR; set +E", 'y'],
    ['a subshell with `set +e`', '( set +e; false; echo a )\necho b', 'a\nb'],
  ])('goes on after %s', async (_, code, expected) => {
    expect(await open().script(code)).toEqual({ status: 'done', exitCode: 0, stdout: `${expected}\n`, stderr: '' })
  })

  test('says no line where the last command is a condition, or the shell was left', async () => {
    expect(await tried('echo a\nfalse && true')).toBe('1 at ?: a')
    expect(await tried('echo a\n[ -f /no/such/file ] || exit 5\necho b')).toBe('5 at ?: a')
    expect(await tried('true | false && true')).toBe('1 at ?: ')
    expect(await tried('echo a\nif then')).toMatch(/^[12] at \?: /)
  })

  test('a sourced file fails at the line that reads it', async () => {
    const { script, cwd } = open()
    writeFileSync(join(cwd, 'lib.sh'), 'echo lib\n\n\n\nfalse\necho no\n')
    expect(await script('true\n. ./lib.sh\necho no')).toMatchObject({ exitCode: 1, failedLine: 2, stdout: 'lib\n' })
    writeFileSync(join(cwd, 'lib.sh'), 'f() {\n\n\n\nfalse\n}\n')
    expect(await script('. ./lib.sh\n\nf\necho no')).toMatchObject({ exitCode: 1, failedLine: 3 })
  })

  test.each([
    ['at the top', 'false\necho no', 2],
    ['in a function', 'f() { false; }\nf\necho no', 3],
    ['in a loop', 'for i in 1; do false; done\necho no', 2],
  ])('keeps the state where it fails %s', async (_, end, failedLine) => {
    const { script, output } = open()
    const code = `x=1; export y=2; z() { echo z; }; shopt -s nullglob; alias hi='echo hi'; cd /; set -u\n${end}`
    expect(await script(code)).toMatchObject({ exitCode: 1, failedLine })
    const seen = 'echo $x; sh -c "echo $y"; z; shopt nullglob; hi; pwd; set -o | grep -E "errexit|pipefail|nounset"'
    expect((await output(seen)).split(/\s+/).join(' ')).toBe(
      '1 2 z nullglob on hi / errexit off nounset on pipefail off ',
    )
    expect(await output('false; echo $-; trap -p ERR')).toMatch(/^[^e]*\n$/)
    expect(await output('set | grep "^__mdtest_[for]"; true')).toBe('')
  })

  test('leaves no option behind, and the next command sees the exit code', async () => {
    const { script, output } = open()
    expect(await script('true')).toMatchObject({ exitCode: 0 })
    expect(await output('case $- in *e*) echo errexit;; esac; set -o | grep pipefail')).toMatch(/^pipefail\s+off\n$/)
    expect(await script('exit 0')).toMatchObject({ exitCode: 0 })
    expect(await output('case $- in *e*) echo errexit;; esac; set -o | grep pipefail')).toMatch(/^pipefail\s+off\n$/)
    await script('(exit 9)')
    expect(await output('echo $?')).toBe('9\n')
    expect(await output('false; false | true; echo on')).toBe('on\n')
  })

  test('options that the code sets itself stay set', async () => {
    const { script, output } = open()
    await script('set -euo pipefail')
    expect(await output('set -o | grep -E "errexit|pipefail|nounset" | tr -s "\\t " " "')).toBe(
      'errexit on\nnounset on\npipefail on\n',
    )
    expect(await script('echo a\nfalse')).toMatchObject({ exitCode: 1, failedLine: 2 })
    expect(await output('case $- in *e*) echo errexit;; esac')).toBe('errexit\n')
    await script('set +e; set +o pipefail; false')
    expect(await output('false; echo $-')).toMatch(/^[^e]*\n$/)
    expect(await script('false\ntrue')).toMatchObject({ exitCode: 1, failedLine: 1 })
  })

  test('leaves traps of the user alone', async () => {
    const { script, output } = open()
    const result = await script("trap 'echo user $?' ERR\n(exit 3)\necho no")
    expect(result).toMatchObject({ status: 'done', exitCode: 3, stdout: 'user 3\n' })
    expect(await output('(exit 4)')).toContain('user 4\n')
    expect(await script('(exit 5)\necho no')).toMatchObject({ exitCode: 5, stdout: 'user 5\n' })
    expect(await output('trap -p ERR; (exit 6); trap - ERR; (exit 7)')).toContain('user 6\n')
    expect(await script('echo a\nfalse')).toMatchObject({ exitCode: 1, failedLine: 2 })
    expect(await script("trap 'echo bye' EXIT\nfalse\necho no")).toMatchObject({ exitCode: 1, failedLine: 2 })
    expect(await script('trap -p ERR')).toMatchObject({ exitCode: 0, stdout: '' })
  })

  test('a trap on EXIT runs where the failure ends the shell', async () => {
    const { script } = open()
    const code = "trap 'echo bye' EXIT\nf() { false; }\nf\necho no"
    expect(await script(code)).toMatchObject({ exitCode: 1, failedLine: 3, stdout: 'bye\n' })
  })

  test('errtrace of the user changes nothing', async () => {
    const { script, output } = open()
    expect(await script('set -E\nf() {\n  false\n  echo no\n}\nf\necho no')).toMatchObject({
      exitCode: 1,
      failedLine: 6,
    })
    expect(await script('( exit 5; )\necho no')).toMatchObject({ exitCode: 5, failedLine: 1 })
    expect(await script('x=$(false; echo no)\necho no $x')).toMatchObject({
      stdout: expect.not.stringContaining('errexit'),
    })
    expect(await output('echo here')).toBe('here\n')
  })

  test('holds for a service, too', async () => {
    const { shell } = open()
    const service = await shell.startService('echo a\nfalse\necho b', { isStrict: true })
    if (typeof service === 'string') throw new Error(service)
    expect(await service.ended).toMatchObject({ status: 'done', exitCode: 1, failedLine: 2 })
    expect(service.tail().toString()).toBe('a\n')
  })

  test('cwd and env of a run are put back where it fails', async () => {
    const { script, output, cwd } = open()
    await output('export NAME=old')
    expect(await script('echo $NAME $PWD\nfalse', { cwd: '/', env: { NAME: 'new' } })).toMatchObject({
      stdout: 'new /\n',
    })
    expect(await output('echo $NAME $PWD')).toBe(`old ${cwd}\n`)
  })
})

test("between two runs the user's signal handlers run without `set -e`", async () => {
  const { script, output } = open()
  await script(`trap 'false; echo got >>end' USR1\n(sleep 0.2; kill -USR1 $$) >/dev/null 2>&1 &\n:`)
  await sleep(500)
  expect(await output('cat end; echo alive')).toBe('got\nalive\n')
})

test('a DEBUG trap that prints leaves the ERR trap of the user as it is', async () => {
  const { script, output } = open()
  await script(`trap 'echo dbg' DEBUG; trap 'echo err' ERR`)
  expect(await output('trap - DEBUG; trap -p ERR')).toContain("trap -- 'echo err' ERR")
})

test('after a run that was ended, code that is not strict sees no trap of ours', async () => {
  const { shell, script, output } = open({ canRecover: true })
  expect(await script('sleep 10', { timeoutMs: 300 })).toMatchObject({ status: 'timeout' })
  await shell.recover()
  expect(await output('eval :; trap -p ERR; set | grep ^__mdtest')).toBe('')
})
