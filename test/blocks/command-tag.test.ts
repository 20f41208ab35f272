import { describe, expect, test } from 'vitest'
import { toCommand, type CommandValue } from '../../src/blocks/command-tag.ts'
import fc, { anyCharacter } from '../support/fast-check.ts'
import { runEach } from '../support/run-each.ts'

function command(strings: TemplateStringsArray, ...values: readonly CommandValue[]): string {
  return toCommand(strings, values)
}

describe('toCommand', () => {
  test('takes the text as it is typed, but for the escapes that JavaScript asks for', () => {
    expect(command`printf 'a\tb\\n' | grep "\." \`date\` \${HOME##*/}`).toBe(
      String.raw`printf 'a\tb\\n' | grep "\." ` + '`date` ${HOME##*/}',
    )
  })

  test('makes one word of a value and one of each item of a list', () => {
    expect(command`echo ${"it's"} ${[1, true, 2n, '']}${[]}`).toBe(String.raw`echo 'it'\''s' '1' 'true' '2' ''`)
  })

  test('leaves what stands outside of quotes alone', () => {
    expect(command`echo "a"'b'\" ${1} # don't ${2}`).toBe(`echo "a"'b'\\" '1' # don't '2'`)
  })

  test.for([
    ['double', () => command`echo "to ${'x'}"`],
    ['single', () => command`echo 'a "b ${'x'}'`],
  ] as const)('refuses a value in %s quotes, which it would not be a word in', ([, make]) => {
    expect(make).toThrow('Value 1 of the `$` template stands in quotes. Take them away')
  })

  test.for([undefined, null, {}, ['a', undefined], [['a']], () => {}])('refuses %o', (value) => {
    // What a type checker would not let pass.
    expect(() => command`echo a ${1} ${value as string}`).toThrow(/Value 2 .* is of type/)
  })

  test('brings any text to a program as it is', () => {
    const texts = fc.array(
      fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', '')),
      {
        maxLength: 5,
      },
    )
    const lists = fc.sample(texts)
    const printed = runEach(lists.map((words) => command`printf '%s\0' ${words}`))
    expect(printed.map(({ output }) => output)).toEqual(
      lists.map((words) => (words.length === 0 ? '\0' : words.map((word) => `${word}\0`).join(''))),
    )
  })
})
