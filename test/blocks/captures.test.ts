import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Captures } from '../../src/blocks/captures.ts'
import { describeTakenName, isVariableName } from '../../src/blocks/expected-output/parse-template.ts'
import { script, transcript, useBlocks } from './use-blocks.ts'

const open = useBlocks()
const pass = { role: 'verify', status: 'pass', message: '', line: 10 }

describe('a captured value', () => {
  test('is a variable of the next commands, of scripts, services and other programs', async () => {
    const { run, runAll } = open()
    expect(await run(transcript('$ echo id 7\nid {{id:/\\d+/}}\n$ echo "<$id>"; sh -c \'echo $id\'\n<7>\n7'))).toEqual(
      pass,
    )
    expect(await run(script('test "$id" = 7 && id=8'))).toEqual(pass)
    // What a script does with it is up to the script.
    expect(await run(transcript('$ echo $id; echo 7\n8\n{{id}}'))).toEqual(pass)
    expect(await run(script('echo 9', {}, [{ text: '{{id:/9/}}' }]))).toEqual(pass)
    expect(await run(script('node -p process.env.id', {}, [{ text: '9' }]))).toEqual(pass)
    const service = script('echo "$id" >new; mv new served; sleep 60', { background: true, wait: 'file:served' })
    expect(await runAll([{ ...service, role: 'run' }, script('test "$(cat served)" = 9')])).toMatchObject([
      { status: 'pass' },
      { status: 'pass' },
    ])
  })

  test('leaves `$?` and the options of a shell alone, and outlasts the end of a shell', async () => {
    const { run } = open()
    expect(await run(transcript('$ echo 5; set -e; (exit 3)\n{{a:/5/}}\n[3]\n$ echo $a\n5'))).toEqual(pass)
    expect(await run(transcript('$ echo 6; (exit 3)\n{{b:/6/}}\n[3]\n$ echo $? $b\n3 6'))).toEqual(pass)
    expect(await run(transcript('$ echo 7; exit 4\n{{c:/7/}}\n[4]\n$ echo $a $b $c\n5 6 7'))).toEqual(pass)
  })

  test('stays in the shell where its name is in capitals', async () => {
    const { run } = open()
    expect(await run(script('export NODE_OPTIONS=--no-warnings'))).toEqual(pass)
    const options = '--require=./harm.cjs'
    expect(await run(transcript(`$ echo 7; echo ${options}; exit 4\n{{ID:/7/}}\n{{NODE_OPTIONS:/.*/}}\n[4]`))).toEqual(
      pass,
    )
    expect(await run(transcript(`$ echo "$ID $NODE_OPTIONS"\n7 ${options}`))).toEqual(pass)
    expect(await run(transcript('$ sh -c \'echo "<$ID$NODE_OPTIONS>"\'; node -p 1\n<>\n1'))).toEqual(pass)
  })

  test.each([
    ['quotes', `it's "so" \\ \`id\` $(touch pwned) \${HOME} !! * ?`],
    ['what ends a command', '; touch pwned #'],
    ['what arithmetic evaluates', 'x[$(touch pwned)]'],
    ['blanks', '  a\tb  '],
    ['a carriage return', 'a\rb'],
    ['a dash', '-n'],
    ['the empty text', ''],
    ['other letters', 'é☃𝄞\u200B'],
    ['a control character', '\u0001\u007f'],
    ['a name of the driver', '$__mdtest_c'],
  ])('is data, whatever it holds: %s', async (_name, value) => {
    const { run, cwd } = open()
    const quoted = `'${value.replaceAll("'", `'\\''`)}'`
    // Names that were declared as something else before.
    expect(await run(script('declare -iu a; declare -n b=PATH; d=(1 2); declare -A e; f() { :; }'))).toEqual(pass)
    for (const name of ['a', 'b', 'd', 'e', 'f']) {
      const captured = await run(transcript(`$ printf '<%s>\\n' ${quoted}\n<{{${name}:/.*/}}>`))
      expect(captured).toEqual(pass)
      expect(await run(script(`test "$${name}" = ${quoted} && env sh -c 'test "$${name}" = "$0"' ${quoted}`))).toEqual(
        pass,
      )
    }
    expect(await run(script('command -v ls && declare -F f'))).toEqual(pass)
    expect(existsSync(join(cwd, 'pwned'))).toBe(false)
  })

  test('keeps bytes that are not UTF-8', async () => {
    const { run } = open()
    expect(await run(transcript(`$ printf 'a\\377\\200b\\n'\n{{raw:/.*/}}`))).toEqual(pass)
    expect(await run(script(`test "$raw" = $'a\\xff\\x80b' && printf %s "$raw" | od -An -c`))).toEqual(pass)
    const text = ' 61 ff 80 62'
    expect(await run(script('printenv raw | head -c 4 | od -An -tx1', {}, [{ text }]))).toEqual(pass)
  })

  test('that no variable can hold fails its block, and one that no program takes is none', async () => {
    const { run } = open()
    expect(await run(transcript(`$ printf 'a\\0b\\n'\n{{nul:/.*/}}`))).toMatchObject({
      status: 'fail',
      message: '`nul` captured a NUL, which no variable can hold. Capture a part without it.',
    })
    expect(await run(transcript(`$ printf '%300000s\\n' x\n{{big:/.*/}}\n$ echo \${#big}; env true\n0`))).toEqual(pass)
    expect(await run(transcript(`$ printf '%300000s\\n' x\n{{big:/.*/}}\n$ echo \${#big}; env true\n0`))).toEqual(pass)
    expect(await run(transcript('$ echo 1\n{{big:/1/}}\n$ printenv big\n1'))).toEqual(pass)
  })

  test('of a name that is readonly in the shell fails its block with the reason', async () => {
    const { run } = open()
    expect(await run(script('readonly id=1'))).toEqual(pass)
    const outcome = await run(transcript('$ echo 2\n{{id:/./}}'))
    expect(outcome).toMatchObject({ status: 'fail', line: 11 })
    expect(outcome.message).toContain('`id` could not be set to what was captured: it is readonly')
    expect(await run(transcript('$ echo $id\n1'))).toEqual(pass)
  })

  test('outlasts a variable of its own block', async () => {
    const { run } = open()
    const block = transcript('$ echo $id\n{{old:/1/}}\n$ echo 2\n{{id:/2/}}\n$ echo $id\n2', { env: { id: '1' } })
    expect(await run(block)).toEqual(pass)
    expect(await run(transcript('$ echo $id\n2'))).toEqual(pass)
  })

  test('is forgotten at the end of a row, by the shell too', async () => {
    const { run, shell } = open()
    const captures = new Captures()
    await captures.export(new Map([['outer', '1']]), shell)
    expect(captures.keep(new Map([['outer', '1']]))).toBeUndefined()
    for (const row of ['1', '2', undefined]) {
      expect(await captures.enterRow(row, shell)).toBeUndefined()
      expect(await run(script('test "$outer" = 1 && test -z "${id+x}"'))).toEqual(pass)
      expect([...captures.values]).toEqual([['outer', '1']])
      const found = new Map([
        ['id', `in ${row}`],
        ['outer', '2'],
      ] as const)
      // The block may have failed after that.
      await captures.export(found, shell)
      if (row === '1') captures.keep(found)
    }
    expect(await run(transcript('$ echo "$id, $outer"\nin undefined, 2'))).toEqual(pass)
  })
})

describe('the name of a captured value', () => {
  test.each([
    'id',
    '_id',
    'orderId',
    'OrderId',
    'order_ID',
    'x86',
    'if',
    'path',
    'home',
    'ID',
    'ORDER_ID',
    'X1',
    'NODE_OPTIONS',
  ])('can be %s', (name) => {
    expect(isVariableName(name)).toBe(true)
    expect(describeTakenName(name)).toBeUndefined()
  })

  test.each([
    ...['PATH', 'HOME', 'IFS', 'BASH_ENV', 'BASHOPTS', 'ENV', 'PS4', 'LC_ALL', 'TMPDIR', 'TESTDIR', '_', '__'],
    ...['http_proxy', 'HTTPS_PROXY', 'No_Proxy', 'npm_config_script_shell', 'histchars', '__mdtest_c'],
  ])('cannot be %s', (name) => {
    expect(isVariableName(name)).toBe(false)
    const other = /Call it `(\w+)`/.exec(describeTakenName(name) ?? '')?.[1] ?? ''
    expect(isVariableName(other)).toBe(true)
  })
})
