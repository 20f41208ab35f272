import { expect, test } from 'vitest'
import { formatHelp, parseFlags } from '../../../src/commands/common/define-command.ts'
import type { CommandSyntax } from '../../../src/commands/common/define-command.ts'
import {
  duration,
  filledName,
  knownName,
  oneOf,
  positiveNumber,
  usDollars,
  webAddress,
  wholeNumber,
} from '../../../src/commands/common/flags.ts'

const syntax = {
  command: 'bake',
  usage: ['[options]', '--cold'],
  about: 'Bakes.',
  flags: {
    limitMs: { flag: 'timeout', short: 't', value: 'TIME', read: duration, summary: 'how long' },
    times: { flag: 'times', value: 'N', read: wholeNumber(1, 3), isRepeatable: true, summary: 'how often' },
    page: { flag: 'page', value: '[=DIR]', summary: 'where to' },
    isCold: { flag: 'cold-as-in-the-winter-of-1709', summary: `not at all, ${'ever and '.repeat(12)}never` },
  },
  isFlagsOnly: true,
  exitCodes: '0 baked.',
} satisfies CommandSyntax

test('flags are read by their readers, and what was not given is absent', () => {
  expect(parseFlags([], syntax).values).toEqual({})
  expect(parseFlags(['-t', '2m', '--times', '1', '--times=3', '--page', '-h'], syntax).values).toEqual({
    limitMs: 120_000,
    times: [1, 3],
    page: '',
    help: true,
  })
  expect(parseFlags(['--page=a', '--cold-as-in-the-winter-of-1709'], syntax).values).toEqual({
    page: 'a',
    isCold: true,
  })
  expect(() => parseFlags(['--times', '1', '--times', '4'], syntax)).toThrow(
    '`--times` takes a whole number from 1 to 3, ',
  )
  expect(() => parseFlags(['--page', 'a'], syntax)).toThrow('Unexpected `a`; see `mdtest bake --help`.')
  expect(() => parseFlags(['--tims'], syntax)).toThrow(/Unknown option '--tims'. Did you mean `--times`\?/)
})

test('the help is made of the flags', () => {
  expect(formatHelp(syntax)).toMatchInlineSnapshot(`
    "Usage: mdtest bake [options]
           mdtest bake --cold

    Bakes.

    Options:
      -t, --timeout <TIME>             how long
      --times <N>                      how often
      --page[=DIR]                     where to
      --cold-as-in-the-winter-of-1709  not at all, ever and ever and ever and ever and ever and ever and ever and ever and
                                       ever and ever and ever and ever and never
      -h, --help                       show this text

    Exit codes: 0 baked.
    "
  `)
})

test.each([
  [duration('1h', '--x'), 3_600_000],
  [wholeNumber(0, 20)('0', '--x'), 0],
  [usDollars('.5', '--x'), 0.5],
  [positiveNumber('2.25', '--x'), 2.25],
  [knownName('agent', ['auto', 'none'])('none', '--x'), 'none'],
  [oneOf(['weak', 'strong'])('weak', '--x'), 'weak'],
  [webAddress('http://a:80', '--x'), 'http://a:80'],
  [filledName('a', '--x'), 'a'],
])('%j is read', (value, read) => {
  expect(value).toBe(read)
})

test.each([
  [duration, '5', '`--x` takes a duration such as 30s, 10m or 1h, got `5`.'],
  [duration, '-5s', '`--x` takes a duration'],
  [wholeNumber(1, 9), '10', '`--x` takes a whole number from 1 to 9, got `10`.'],
  [wholeNumber(1, 9), '1e0', '`--x` takes a whole number'],
  [wholeNumber(0, 9), '', '`--x` takes a whole number'],
  [usDollars, '0', '`--x` takes an amount in US dollars above 0, got `0`.'],
  [usDollars, '9'.repeat(400), '`--x` takes an amount in US dollars'],
  [positiveNumber, '1.', '`--x` takes a number above 0, got `1.`.'],
  [knownName('agent', ['auto', 'none']), 'me', 'Unknown agent `me`; `--x` takes auto, none.'],
  [oneOf(['weak', 'strong']), 'sure', '`--x` takes weak, strong, got `sure`.'],
  [webAddress, 'ftp://a', '`--x` takes an address that begins with http:// or https://, got `ftp://a`.'],
  [filledName, ' ', '`--x` takes a name, got an empty one.'],
])('%o refuses %j', (read, text, message) => {
  expect(() => read(text, '--x')).toThrow(message)
})
