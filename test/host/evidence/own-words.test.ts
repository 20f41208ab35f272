import { describe, expect, test } from 'vitest'
import { ownWordsOf, withoutQuotes, type Holding } from '../../../src/host/evidence/own-words.ts'
import type { SeenCall } from '../../../src/host/evidence/is-product-activity.ts'

function command(title: string): SeenCall {
  return { kind: 'command', tool: 'Bash', title, files: [] } as unknown as SeenCall // what a shell tool tells
}

describe('who can have printed a quote', () => {
  test.each<[title: string, quote: string, Holding]>([
    ['shop list', '2 items in the cart', 'no'],
    ['echo 2 items in the cart', '2 items in the cart', 'plainly'],
    ["echo '2 items' 'in the cart'", '2 items in the cart', 'plainly'],
    ["printf '%s items in the %s\\n' 2 cart", '2 items in the cart', 'plainly'],
    ["printf '2 items\\x20in the cart'", '2 items in the cart', 'plainly'],
    ["echo $'2 items\\x20in the cart'", '2 items in the cart', 'plainly'],
    ["node -e \"console.log('2 items' + ' in the cart')\"", '2 items in the cart', 'plainly'],
    ["python3 -c \"print('2 items', 'in the cart')\"", '2 items in the cart', 'plainly'],
    ['perl -e \'print "2 items in the cart"\'', '2 items in the cart', 'plainly'],
    ['echo MiBpdGVtcyBpbiB0aGUgY2FydA== | base64 -d', '2 items in the cart', 'plainly'],
    ['echo 32206974656d7320696e207468652063617274 | xxd -r -p', '2 items in the cart', 'plainly'],
    ['node -e "console.log(String.fromCharCode(50,32,105,116,101,109,115))"', '2 items', 'plainly'],
    ['cat <<END\n2 items in the cart\nEND', '2 items in the cart', 'plainly'],
    ['cat <<-END\n\t2 items in the cart\n\tEND', '2 items in the cart', 'plainly'],
    ['a=\'2 items\'; echo "$a in the cart"', '2 items in the cart', 'plainly'],
    ['echo 2 items; echo in the cart', '2 items\nin the cart', 'plainly'],
    ['bash -c "echo 2 items in the cart"', '2 items in the cart', 'plainly'],
    ['echo "$(echo 2 items in the cart)"', '2 items in the cart', 'plainly'],
    ['shop add "2 items in the cart"', '2 items in the cart', 'perhaps'],
    ['node shop.js "2 items in the cart"', '2 items in the cart', 'perhaps'],
    ["node -e \"require('./shop').print('2 items in the cart')\"", '2 items in the cart', 'perhaps'],
    ['shop list && echo 2 items in the cart', '2 items in the cart', 'perhaps'],
    ['shop list; echo 2 items in the cart', '2 items in the cart', 'plainly'],
    ['shop list | grep "2 items in the cart"', '2 items in the cart', 'no'],
    ['shop list | grep -q "2 items in the cart"', '2 items in the cart', 'no'],
    ['grep "2 items in the cart" notes.txt', '2 items in the cart', 'plainly'],
    ['echo x | grep -r "2 items in the cart"', '2 items in the cart', 'plainly'],
    ['test "$(shop list)" = "2 items in the cart"', '2 items in the cart', 'no'],
    ['env FOO=1 sudo echo 2 items in the cart', '2 items in the cart', 'plainly'],
    ['for i in 1 2; do echo 2 items in the cart; done', '2 items in the cart', 'plainly'],
    ['# 2 items in the cart\nshop list', '2 items in the cart', 'no'],
  ])('%s: %s', (title, quote, holding) => {
    expect(ownWordsOf(command(title), []).holds(quote)).toBe(holding)
  })

  test('is somebody that the spec asked for, where the spec holds the command', () => {
    const asked = withoutQuotes('Run `shop add "2 items in the cart"` and look.')
    expect(ownWordsOf(command('shop add "2 items in the cart"'), [], asked).holds('2 items in the cart')).toBe('asked')
    expect(ownWordsOf(command('shop say "2 items in the cart"'), [], asked).holds('2 items in the cart')).toBe(
      'perhaps',
    )
    expect(ownWordsOf(command('echo "2 items in the cart"'), [], asked).holds('2 items in the cart')).toBe('plainly')
  })

  test('is nobody for a word of a few letters inside of another', () => {
    const words = ownWordsOf(command('echo passing'), [])
    expect([words.holds('pass'), words.holds('passing')]).toEqual(['no', 'plainly'])
  })

  test.each<[input: unknown, Holding]>([
    [{ text: '2 items in the cart' }, 'perhaps'],
    [{ deep: [{ er: "'2 items' + ' in the cart'" }] }, 'perhaps'],
    [{ text: 'another' }, 'no'],
    [undefined, 'no'],
    [null, 'no'],
    [42, 'no'],
  ])('of a tool with the arguments %j: %s', (input, holding) => {
    const call = { kind: 'tool', tool: 'mcp__shop__say', title: 'say', files: [], input } as unknown as SeenCall // of an MCP server
    expect(ownWordsOf(call, []).holds('2 items in the cart')).toBe(holding)
  })
})

describe('a call that runs no product', () => {
  test.each([
    ['cat log.txt | sort | uniq -c', true],
    ['echo a > b && cat b', true],
    ['node -e "console.log(1)"', true],
    ["python3 <<'E'\nprint(1)\nE", true],
    ['bash -c "cat a; echo b"', true],
    ['', true],
    ['shop list', false],
    ['cat a | shop', false],
    ['node app.js', false],
    ['node -r ./hook.js -e 1', false],
    ['node -e "require(\'./app\')"', false],
    ['python3 -c "import os"', false],
    ['bash -c "shop list"', false],
    ['echo $(shop list)', false],
    ['echo `shop list`', false],
    ['make test', false],
  ])('%s: %s', (title, isNone) => {
    expect(ownWordsOf(command(title), []).runsNoProduct).toBe(isNone)
  })

  test('is one on files, and no other tool', () => {
    const call = (kind: string): SeenCall => ({ kind, tool: 'x', title: 'x', files: [] }) as unknown as SeenCall // a kind alone
    expect(['file', 'tool', 'browser'].map((kind) => ownWordsOf(call(kind), []).runsNoProduct)).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('words that a call writes into files', () => {
  test.each<[string, readonly string[]]>([
    ['echo hello > notes.txt', ['echo hello notes.txt']],
    ['echo hello | tee notes.txt', ['echo hello', 'tee notes.txt']],
    ['shop list > out.txt', []],
    ['echo hello', []],
    ['echo hello > /dev/null', []],
  ])('%s', (title, written) => {
    expect(ownWordsOf(command(title), []).written).toEqual(expect.arrayContaining([...written]))
    expect(ownWordsOf(command(title), []).written.length === 0).toBe(written.length === 0)
  })

  test('are those that an editor tells', () => {
    const call = { kind: 'file', tool: 'Write', title: 'a.txt', files: ['a.txt'] } as unknown as SeenCall // of an editor
    expect(ownWordsOf(call, ['all of the text']).written).toEqual(['all of the text'])
  })
})
