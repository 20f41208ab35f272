import { SourceMap } from 'node:module'
import { describe, expect, test } from 'vitest'
import { sourceMap } from '../../src/plan/module-lines.ts'

const source = { file: '/a/b.test.md', text: 'text' }

describe('sourceMap', () => {
  test('leads every column back to where it comes from', () => {
    const map = sourceMap(source, [
      undefined,
      { line: 1000, column: 3, length: 40 },
      { line: 2, column: 0, length: 0 },
      undefined,
      { line: 7, column: 50, length: 5 },
    ])
    const reader = new SourceMap({ ...map, file: '', sourceRoot: '' })
    const origin = (line: number, column: number): unknown => {
      const entry = reader.findEntry(line, column)
      return 'originalLine' in entry ? [entry.originalSource, entry.originalLine, entry.originalColumn] : undefined
    }
    expect([0, 1, 39, 40, 50].map((column) => origin(1, column))).toEqual(
      [3, 4, 42, 43, 43].map((column) => [source.file, 1000, column]),
    )
    expect([origin(2, 0), origin(2, 9)]).toEqual([
      [source.file, 2, 0],
      [source.file, 2, 0],
    ])
    expect([origin(4, 0), origin(4, 5)]).toEqual([
      [source.file, 7, 50],
      [source.file, 7, 55],
    ])
    expect([origin(0, 0), map.sourcesContent]).toEqual([undefined, ['text']])
  })
})
