import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/spec/spec.ts'
import { place, script, transcript, useBlocks } from './use-blocks.ts'

const open = useBlocks()

const pass = { role: 'verify', status: 'pass', message: '', line: 10 }

describe('a transcript', () => {
  test('passes when all lines and exit codes are as written', async () => {
    const { run } = open()
    const block = transcript(
      '$ echo a; echo b >&2\na\nb\n$ X=1\n$ for i in 1 2\n> do echo $X$i; done\n11\n12\n$ (exit 2)\n[2]\n$ echo $?\n2',
    )
    expect(await run(block)).toEqual(pass)
  })

  test.each([
    ['a wrong line', '$ echo a; echo x; echo c\na\nb\nc', 13, '  a\n- b\n+ x\n  c'],
    ['a missing line', '$ echo a; echo c\na\nb\nc', 13, '  a\n- b\n  c'],
    ['an extra line', '$ echo a; echo b\na', 13, '  a\n+ b'],
    ['output where none is expected', '$ echo a', 12, '+ a'],
    ['no output where some is expected', '$ :\na', 12, '- a'],
    ['a line of a later command', '$ echo a\na\n$ echo b; \\\n> echo c\nb\nx', 16, '  b\n- x\n+ c'],
    ['a different blank at the end', '$ printf "a "\na', 12, '- a\n+ a\\x20 (esc) (no-eol)'],
    ['a blank line at the end', '$ printf "a\\n\\n"\na', 13, '  a\n+'],
  ])('fails at %s', async (_name, code, line, diff) => {
    const { run } = open()
    const outcome = await run(transcript(code))
    expect(outcome).toMatchObject({ status: 'fail', line })
    expect(outcome.message).toContain(`(- expected, + actual):\n${diff}`)
  })

  test.each([
    ['its own words', '$ echo a\na\n$ echo b\nc', { written: 1, held: 1 }],
    ['nothing but what is written', '$ echo b\nc', { written: 1, held: 0 }],
    [
      'any output beside what is written',
      '$ echo a\n...\n$ :\n$ echo a\n* (glob)\n$ echo b\nc',
      { written: 1, held: 0 },
    ],
    ['an exit code', '$ (exit 3)\n[3]\n$ echo b\nc', { written: 1, held: 1 }],
  ])('that is rewritten tells that it was compared with %s', async (_, code, comparisons) => {
    const { runAll } = open()
    const update = { refuse: () => undefined, accept() {} }
    expect(await runAll([transcript(code)], { update })).toMatchObject([{ status: 'pass', comparisons }])
  })

  test('goes on behind commands that differ where that is asked for, up to one that takes too long', async () => {
    const { runAll } = open()
    const block = transcript('$ echo a\nb\n$ echo c\nc\n$ (exit 3)\n$ sleep 60\n$ echo d\ne')
    const [outcome] = await runAll([block], { afterFailure: 'continue', timeoutMs: 500 })
    expect(outcome).toMatchObject({ status: 'timeout', line: 12 })
    expect(outcome?.message).toMatch(/- b\n\+ a\n\nLine 15: [^]*code 3[^]*\n\nLine 16: /)
    const [stopped] = await open().runAll([block])
    expect(stopped).toMatchObject({ status: 'fail', line: 12 })
  })

  test('fails at a wrong exit code, also when the output is as expected', async () => {
    const { run } = open()
    const outcome = await run(transcript('$ echo a; (exit 3)\na\n[2]'))
    expect(outcome).toMatchObject({ status: 'fail', line: 11 })
    expect(outcome.message).toBe('`echo a; (exit 3)` ended with exit code 3, expected 2.\n\nstdout:\n  a')
    const apart = await run(transcript('$ echo a; echo why >&2; (exit 3)\nb', { stream: 'stdout' }))
    expect(apart.message).toMatch(/- b\n\+ a\n\nstderr:\n {2}why$/)
    expect(await run(transcript('$ false'))).toMatchObject({ status: 'fail' })
    expect(await run(transcript('$ true\n[1]'))).toMatchObject({ status: 'fail' })
  })

  test('stops at the first command that differs', async () => {
    const { run } = open()
    expect(await run(transcript('$ echo a\nb\n$ touch later'))).toMatchObject({ status: 'fail' })
    expect(await run(transcript('$ ls'))).toEqual(pass)
  })

  test('sees neither colours nor carriage returns at line ends nor a missing last newline', async () => {
    const { run } = open()
    const code = String.raw`$ printf '\033[1;31mred\033[0m\r\n\033]8;;http://x\033\\link\033]8;;\007'`
    expect(await run(transcript(`${code}\nred\nlink`))).toEqual(pass)
    expect(await run(transcript("$ printf 'a\\rb'\nb"))).toMatchObject({ status: 'fail' })
  })

  test('takes exit and set -e as they come', async () => {
    const { run } = open()
    expect(await run(transcript('$ X=1; exit 4\n[4]\n$ echo $X\n1\n$ set -e; false\n[1]\n$ set +e'))).toEqual(pass)
  })

  test('keeps cwd and env of the block over its commands and not longer', async () => {
    const { run, cwd } = open()
    mkdirSync(join(cwd, 'sub/deeper'), { recursive: true })
    const code = `$ pwd; echo $A\n${cwd}/sub\n1\n$ cd deeper\n$ pwd; echo $A\n${cwd}/sub/deeper\n1`
    expect(await run(transcript(code, { cwd: 'sub', env: { A: '1' } }))).toEqual(pass)
    expect(await run(transcript(`$ pwd; echo \${A-unset}\n${cwd}\nunset`))).toEqual(pass)
  })

  test('compares one stream where the block says so', async () => {
    const { run } = open()
    expect(await run(transcript('$ echo a; echo b >&2\na', { stream: 'stdout' }))).toEqual(pass)
    expect(await run(transcript('$ echo a; echo b >&2\nb', { stream: 'stderr' }))).toEqual(pass)
  })

  test('that takes too long is a timeout that tells what it had written', async () => {
    const { run } = open()
    const outcome = await run(transcript('$ echo a\na\n$ echo started; sleep 60\nstarted', { timeoutMs: 300 }))
    expect(outcome).toMatchObject({ status: 'timeout', line: 13 })
    expect(outcome.message).toMatch(
      /^`echo started; sleep 60` took longer than 300 ms and was ended\.\n\nstdout:\n {2}started\n\nIf it needs longer, .*$/,
    )
    expect(await run(transcript('$ echo a\na'))).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('300'),
    })
  })
})

describe('expected output', () => {
  test('may have lines of a megabyte, and a part of them a pattern', async () => {
    const { run } = open()
    const code = 'for c in a b; do head -c 1000000 /dev/zero | tr "\\0" $c; echo; done'
    const expected = `${'a'.repeat(1_000_000)}\n`
    expect(await run(script(code, {}, [{ text: `${expected}b+ (re)` }]))).toEqual(pass)
    expect(await run(script(code, {}, [{ text: `a*a*a (glob)\n{{b:/b.*/}}` }]))).toEqual(pass)
    const outcome = await run(script(code, {}, [{ text: `${expected}b+c (re)` }]))
    expect(outcome).toMatchObject({ status: 'fail', line: 21 })
    expect(outcome.message.length).toBeLessThan(2000)
  })

  test('captures for later commands and blocks, if all of the block passes', async () => {
    const { run } = open()
    expect(await run(transcript('$ echo id 7; echo a7\nid {{id:/\\d+/}}\na{{id}}\n$ echo "<7>"\n<{{id}}>'))).toEqual(
      pass,
    )
    expect(await run(script('echo 7', {}, [{ text: '{{id}}' }]))).toEqual(pass)
    expect(await run(transcript('$ echo 8\n{{id:/./}}\n$ echo x\ny'))).toMatchObject({ status: 'fail', line: 14 })
    expect(await run(script('echo 7; echo 8 >&2', {}, [{ text: '{{id}}', stream: 'stdout' }]))).toEqual(pass)
    const streams = [
      { text: '{{a:/./}}', stream: 'stdout' as const },
      { text: '{{a}}', stream: 'stderr' as const },
    ]
    expect(await run(script('echo 7; echo 7 >&2', {}, streams))).toEqual(pass)
    const outcome = await run(transcript('$ echo x\n{{nobody}}'))
    expect(outcome.message).toContain('Nothing that ran before has captured `{{nobody}}`.')
  })

  test('that does not match is compared with what it should be, patterns that match on both sides', async () => {
    const { run } = open()
    const outcome = await run(transcript('$ seq 30; echo b1\n...\n3\\d (re)\nb\\d\\d (re)'))
    expect(outcome).toMatchObject({ line: 14 })
    expect(outcome.message).toContain('\n  ...\n  3\\d (re)\n- b\\d\\d (re)\n+ b1')
  })

  test('shows no secret, also in what a pattern matches', async () => {
    const { run } = open((text) => text.replaceAll('s3cret', '***').replaceAll('multi\nline', '***'))
    const outcome = await run(transcript('$ printf "s3cret 1\\ns3cret\\x01\\nb\\n"\n\\w+ \\d (re)\ns3cret\nc'))
    expect(outcome.message).toContain('\n  \\w+ \\d (re)\n- ***\n- c\n+ ***\\x01 (esc)\n+ b')
    expect(JSON.stringify(await run(transcript('$ printf "\\155ulti\\nline\\nx\\n"\n...\ny')))).not.toContain('multi')
    const secret = await run(transcript('$ echo s3cret\n***'))
    expect(secret.message).toContain('it differs in a secret, which is not shown')
  })
})

describe('a script', () => {
  test('passes with exit code 0 or the one it names', async () => {
    const { run } = open()
    expect(await run(script('echo a\ntrue'))).toEqual(pass)
    expect(await run(script('exit 3', { exit: 3 }))).toEqual(pass)
  })

  test('fails with another exit code and shows the ends of both streams', async () => {
    const { run } = open()
    const outcome = await run(script('for i in {1..30}; do echo out$i; done; echo problem >&2; false'))
    expect(outcome).toMatchObject({ status: 'fail', line: 11 })
    expect(outcome.message).toMatch(/^The script ended with exit code 1, expected 0\./)
    expect(outcome.message).toContain('stdout (last 20 of 30 lines):\n  out11\n')
    expect(outcome.message).toContain('stderr:\n  problem')
    expect(await run(script('true', { exit: 1 }))).toMatchObject({ status: 'fail' })
  })

  test('stops at the first command that fails, and the outcome stands there', async () => {
    const { run } = open()
    const outcome = await run(script('echo a\n\ncd /no/such/dir\necho deployed'))
    expect(outcome).toMatchObject({ status: 'fail', line: 13 })
    expect(outcome.message).toMatch(
      /^The script ended with exit code 1, expected 0\. It stopped at line 13, `cd \/no\/such\/dir`\./,
    )
    expect(outcome.message).toContain('stdout:\n  a\nstderr:\n')
    expect(outcome.message).not.toContain('deployed')
    const compared = await run(script('echo a\nfalse | cat\necho b', {}, [{ text: 'a\nb' }]))
    expect(compared).toMatchObject({ status: 'fail', line: 12 })
  })

  test.each([
    ['an `exit` that says this code', 'true\n[ -f /no/such ] || exit 4\nexit 3', 12],
    ['the end, where a condition was false', 'true\n# false\n[ -f /no/such ] && echo a\n# end\n', 13],
    ['the message of bash', 'set -u\necho "$no_such"\necho b', 12],
    ['the block, where two could be it', 'test -f /no/such || exit 4\nexit 4', 10],
  ])('that bash was left by stands at %s', async (_, code, line) => {
    expect(await open().run(script(code))).toMatchObject({ status: 'fail', line })
  })

  test('expects the exit code of the command that fails first', async () => {
    const { run } = open()
    expect(await run(script('(exit 3)\necho no', { exit: 3 }))).toMatchObject({ status: 'pass' })
    expect(await run(script('(exit 2)\nexit 3', { exit: 3 }))).toMatchObject({ status: 'fail', line: 11 })
  })

  test('goes on after failures with `errexit=off`, and so does a transcript', async () => {
    const { run } = open()
    expect(await run(script('false\nfalse | cat\ntrue', { errexit: 'off' }))).toMatchObject({ status: 'pass' })
    expect(await run(script('false\nexit 2', { errexit: 'off' }))).toMatchObject({ status: 'fail', line: 10 })
    expect(await run(transcript('$ false; false | cat; echo b\nb'))).toMatchObject({ status: 'pass' })
  })

  test('is compared with its output fences', async () => {
    const { run } = open()
    const code = 'echo a; echo b >&2; echo c'
    expect(await run(script(code, {}, [{ text: 'a\nb\nc' }]))).toEqual(pass)
    expect(await run(script(code, { stream: 'stdout' }, [{ text: 'a\nc' }]))).toEqual(pass)
    expect(await run(script(code, {}, [{ stream: 'stdout', text: 'a\nc' }]))).toEqual(pass)
    expect(
      await run(
        script(code, {}, [
          { stream: 'stdout', text: 'a\nc' },
          { stream: 'stderr', text: 'b' },
        ]),
      ),
    ).toEqual(pass)
    expect(await run(script(code, {}, [{ text: 'a\nx\nc' }]))).toMatchObject({ status: 'fail', line: 21 })
    expect(await run(script(code, {}, [{ stream: 'stderr', text: '' }]))).toMatchObject({
      status: 'fail',
      line: 20,
    })
    const both = await run(script(`${code}; false`, {}, [{ text: 'a' }]))
    expect(both).toMatchObject({ status: 'fail', line: 21 })
    expect(both.message).toMatch(/exit code 1, expected 0[^]*\+ b\n\+ c/)
  })

  test('shares the shell with transcripts', async () => {
    const { run } = open()
    await run(script('greet() { echo "hi $1"; }'))
    expect(await run(transcript('$ greet you\nhi you'))).toEqual(pass)
  })

  test('that ends the shell does not pass', async () => {
    const { run } = open()
    expect(await run(script('kill -9 $$'))).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('SIGKILL'),
    })
    expect(await run(script('true'))).toMatchObject({ status: 'fail' })
  })

  test('left by a stray break does not pass', async () => {
    const { run } = open()
    expect(await run(script('break; false'))).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('break'),
    })
  })

  test('that writes too much fails with a bounded message', async () => {
    const { run } = open()
    const outcome = await run(script('yes'))
    expect(outcome).toMatchObject({ status: 'fail' })
    expect(outcome.message.length).toBeLessThan(80_000)
  })

  test('with much wrong output gives a bounded outcome', async () => {
    const { run } = open()
    const outcome = await run(script('seq 15000', {}, [{ text: Array.from({ length: 1000 }, String).join('\n') }]))
    expect(outcome).toMatchObject({ status: 'fail', line: 20 })
    expect(outcome.message.split('\n').length).toBeLessThan(100)
  })
})

describe('a block that cannot be judged', () => {
  test.each<[string, Block, RegExp]>([
    ['a directory outside', script('true', { cwd: '../..' }), /leads out/],
    ['an absolute directory outside', script('true', { cwd: '/' }), /leads out/],
    ['a missing directory', script('true', { cwd: 'missing' }), /no directory/],
    ['a module', { ...place, kind: 'module', language: 'ts', code: '', attributes: { env: {} } }, /not supported/],
  ])('fails: %s', async (_name, block, message) => {
    const { run } = open()
    expect(await run(block)).toMatchObject({ status: 'fail', line: 10, message: expect.stringMatching(message) })
  })

  test('fails when a link leads out of the directory', async () => {
    const { run, cwd } = open()
    symlinkSync('/', join(cwd, 'link'))
    expect(await run(script('true', { cwd: 'link' }))).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/leads out/),
    })
  })
})
