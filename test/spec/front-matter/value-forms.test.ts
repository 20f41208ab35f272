import { describe, expect, test } from 'vitest'
import { parseDuration, isInnerPath, isWebAddress, tagPattern } from '../../../src/spec/front-matter/value-forms.ts'
import { describeBadRepeats, repeatsOf } from '../../../src/spec/front-matter/front-matter.ts'

describe('forms of values', () => {
  test.each([
    ['a', true],
    ['a/../b', true],
    ['..a', true],
    ['a..', true],
    ['.', true],
    ['a b/ü', true],
    ['', false],
    ['  ', false],
    ['..', false],
    ['a/../..', false],
    ['..\\a', false],
    ['a\\..\\..\\b', false],
    ['/a', false],
    ['\\\\host\\a', false],
    ['c:a', false],
    ['~', false],
    ['a\0b', false],
  ])('the path %j stays inside: %s', (path, expected) => expect(isInnerPath(path)).toBe(expected))

  test.each([
    ['http://a', true],
    ['HTTPS://a.b/c?d', true],
    ['http://[::1]:80', true],
    ['http://', false],
    ['//a', false],
    ['ftp://a', false],
    [' http://a', false],
    ['javascript:alert(1)//http://a', false],
  ])('%j is an address: %s', (text, expected) => expect(isWebAddress(text)).toBe(expected))

  test.each([
    ['a-b/c:1', true],
    ['größe', true],
    ['', false],
    ['a b', false],
    ['a,b', false],
    ['!a', false],
    ['a*', false],
    ['(a)', false],
    ['a|b', false],
    ['a\u00a0b', false],
  ])('%j is a tag: %s', (text, expected) => expect(tagPattern.test(text)).toBe(expected))

  test.each<[string, number | undefined]>([
    ['1ms', 1],
    ['007s', 7000],
    ['596h', 2_145_600_000],
    ['2147483647ms', 2_147_483_647],
    ['2147483648ms', undefined],
    ['597h', undefined],
    ['0h', undefined],
    ['1.5s', undefined],
    ['-1s', undefined],
    ['1 s', undefined],
    ['1S', undefined],
    ['1d', undefined],
    ['s', undefined],
    ['1s\n', undefined],
    ['٣s', undefined],
    [`${'9'.repeat(400)}s`, undefined],
  ])('%j lasts %s ms', (text, expected) => expect(parseDuration(text)).toBe(expected))

  test.each([
    [{}, undefined, false],
    [{ repeats: 3 }, { runs: 3, required: 3 }, false],
    [{ repeats: 3, require: 3 }, { runs: 3, required: 3 }, false],
    [{ repeats: 3, require: 1 }, { runs: 3, required: 1 }, false],
    [{ repeats: 3, require: 4 }, { runs: 3, required: 4 }, true],
    [{ require: 1 }, undefined, true],
  ])('%j are %j, and wrong together: %s', (given, repeats, isBad) => {
    expect(repeatsOf(given)).toEqual(repeats)
    expect(describeBadRepeats(given) !== undefined).toBe(isBad)
  })
})
