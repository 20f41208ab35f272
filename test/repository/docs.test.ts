import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './tracked-files.ts'

describe('docs/coming-from.md shows what is called how in other tools', () => {
  const rows = readTable(readFileSync(join(root, 'docs/coming-from.md'), 'utf8'))
  const fixtures = { scrut: 'coming-from-scrut', here: 'coming-from' } as const
  test.each(['scrut', 'here'] as const)('and what is in the column `%s` runs', (column) => {
    const spec = readFileSync(join(root, 'fixtures', 'blocks', fixtures[column], 'spec.md'), 'utf8')
    const entries = rows.flatMap((row) => readCode(row[column] ?? ''))
    expect(entries.length).toBeGreaterThan(15)
    // What has no counterpart would be a problem of the spec.
    expect(entries.filter((entry) => !spec.includes(entry))).toEqual(column === 'scrut' ? ['interpolated: true'] : [])
  })
})

/** The rows of the first table of a page, by the titles of its columns. */
function readTable(markdown: string): readonly Readonly<Record<string, string>>[] {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => line.startsWith('|'))
  const count = lines.slice(start).findIndex((line) => !line.startsWith('|'))
  const [titles = [], , ...rows] = lines.slice(start, start + count).map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
  return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [titles[index]?.trim() ?? '', cell])))
}

/** The code in a text, with the blanks that belong to it. */
function readCode(markdown: string): readonly string[] {
  return [...markdown.matchAll(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g)].map(([, , code = '']) => code.trim())
}
