import { expect, test } from 'vitest'
import { addedSuppression, differInComments } from '../../../../src/commands/attempt/changes/switched-off-checks.ts'

test.each([
  ['// @ts-ignore\nf()', '@ts-ignore'],
  ['// @ts-nocheck', '@ts-nocheck'],
  ['// @ts-expect-error later', '@ts-expect-error'],
  ['/* eslint-disable no-undef */', 'eslint-disable'],
  ['// oxlint-disable-next-line no-eval', 'oxlint-disable-next-line'],
  ['x = 1  # type:   ignore', '# type: ignore'],
  ['import os  # noqa', '# noqa'],
  ['# pragma: no cover', '# pragma: no cover'],
  ['//nolint:errcheck', '//nolint'],
  ['/* istanbul ignore next */', 'istanbul ignore'],
  ['#![allow(dead_code)]', '#![allow('],
  ['@SuppressWarnings("unchecked")', '@SuppressWarnings'],
  ['//go:build ignore', '//go:build ignore'],
  ["declare module 'x' {", "declare module 'x' {"],
  ['#pragma warning disable CS0168', '#pragma warning disable'],
  ['/* global foo */', '/* global foo'],
  ['<!-- svelte-ignore a11y -->', 'svelte-ignore a11y'],
  ['# fmt: off', 'fmt: off'],
  ['//lint:ignore SA1 x', 'lint:ignore'],
  [' * @formatter:off', '@formatter:off'],
  ['{{! template-lint-disable }}', 'template-lint-disable'],
  ['f() // NOLINTNEXTLINE(x)', '// NOLINTNEXTLINE'],
  ['// clang-format off', 'clang-format off'],
  ['/* eslint no-undef: 0 */', '/* eslint no-undef: 0'],
])('%j is told', (after, word) => {
  expect(addedSuppression(undefined, after)).toBe(word)
  expect(addedSuppression('f()', `f()\n${after}`)).toBe(word)
  expect(addedSuppression(after, after)).toBeUndefined()
})

test.each([
  ['a new file without any', undefined, 'export const sum = 1\n'],
  ['one that is gone', '// @ts-ignore', ''],
  ['one that moved', '// @ts-ignore\na()\nb()', 'a()\n// @ts-ignore\nb()'],
  ['one whose spaces changed', '#  type: ignore', '# type:   ignore'],
  ['a word that only sounds so', '', 'const ignore = disable(eslint)'],
  ['code that only looks so', '', 'on ? "aria-disabled" : a-off'],
  [
    'prose',
    '',
    '// Note: ignore blanks\n# Then skip\n// turned off\n// one-off helper\n// ignore: the case\n# nosecond',
  ],
  ['a selector or an option', '', `$('#btn-skip')\n.a { --theme-off: red }\n#toggle-off {}\noption('--fail-skip')`],
])('%s is none', (_, before, after) => {
  expect(addedSuppression(before, after)).toBeUndefined()
})

test('a second one of the same kind is one more', () => {
  expect(addedSuppression('// @ts-ignore\na()', '// @ts-ignore\na()\n// @ts-ignore\nb()')).toBe('@ts-ignore')
})

test.each([
  ['a.ts', 'f() // one', 'f() // two\n', true],
  ['a.ts', 'f()', '/* a\n b */\nf()', true],
  ['a.ts', 'f("http://a")', 'f("http://b")', false],
  ['a.ts', 'this.#a = 1', 'this.#b = 1', false],
  ['a.py', 'f()', '# noted\nf()', true],
  ['a.py', 'f("#a")', 'f("#b")', false],
  ['a.svelte', '<p>a</p>', '<!-- noted -->\n<p>a</p>', true],
  ['a.sql', 'a -- b', 'a -- c', true],
  ['a.ml', 'a', '(* b *)\na', true],
  ['a.ml', 'let%lwt x = a ()', 'let%lwt x = b ()', false],
  ['a.hbs', '{{a}}', '{{! b }}{{a}}', true],
  ['a.hbs', '{{a}}', '{{b}}', false],
  ['a.sh', 'f "$1"', '# quiet\nf "$1"', true],
  ['a.sh', 'f', '#!/bin/sh\nf', false],
  ['a.yaml', '#foo', '# foo', false],
  ['a.sh', 'f ${a#b}', 'f ${a#c}', false],
  ['a.yaml', 'a: 1', 'a:  1 # quiet', true],
  ['a.md', 'See https://a.b', 'See https://a.c', false],
  ['a.md', 'a', '<!-- quiet -->\na', true],
  ['a.txt', 'a // b', 'a // c', false],
  ['a.ts', 'f(1)  // one', 'f(1) // two', true],
  ['a.ts', 'f("a  b") // one', 'f("a b") // two', false],
  ['a.ts', 'f()  ', 'f()', false],
  ['a.ts', '//a', '//a  ', false],
  ['a.ts', 'if (a)\n  b()', 'if (a)\nb()', false],
])('%s: %j and %j differ in comments alone: %s', (path, before, after, isComment) => {
  expect(differInComments(path, before, after)).toBe(isComment)
})
