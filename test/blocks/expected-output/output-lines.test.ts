import { describe, expect, test } from 'vitest'
import { expectedLines, readOutput } from '../../../src/blocks/expected-output/output-lines.ts'

describe('what a program printed', () => {
  test.each<[string, readonly string[], boolean]>([
    ['', [], false],
    ['\n', [''], false],
    ['a', ['a'], true],
    ['a\n', ['a'], false],
    ['a\n\n', ['a', ''], false],
    ['a\r\nb\r\n', ['a', 'b'], false],
    ['50%\r100%\n', ['50%\r100%'], false],
    ['\u001B[31mred\u001B[0m\n', ['red'], false],
    ['\u001B[2K\u001B[1Gdone', ['done'], true],
    ['\u009B1mbold\u009B0m', ['bold'], true],
    ['\u001B]0;title\u0007text\n', ['text'], false],
    ['\u001B]8;;https://example.org\u001B\\link\u001B]8;;\u001B\\\n', ['link'], false],
    ['\u001B(Btext', ['text'], true],
    ['\u001B[31m', [], false],
    ['[31m is text', ['[31m is text'], true],
    ['\u001B', ['\u001B'], true],
  ])('%j', (output, lines, isUnfinished) => {
    expect(readOutput(output)).toEqual({ lines, isUnfinished })
    expect(readOutput(output).lines).toEqual(lines)
  })

  test('is one character where a colour stood between two bytes of it', () => {
    const halves = [Buffer.from([0xc3]), Buffer.from([0xa9])].map((half) =>
      String.fromCharCode(0xdc00 + (half[0] ?? 0)),
    )
    expect(readOutput(halves.join('\u001B[0m')).lines).toEqual(['é'])
  })
})

describe('lines of a fence', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a\nb', ['a', 'b']],
    ['\n', ['', '']],
  ])('%j', (fence, lines) => {
    expect(expectedLines(fence)).toEqual(lines)
  })
})
