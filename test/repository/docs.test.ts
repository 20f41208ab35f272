import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './tracked-files.ts'

describe('docs/coming-from.md shows what is called how in other tools', () => {
  const rows = readTable(readFileSync(join(root, 'docs/coming-from.md'), 'utf8'))
  test('and what is in the column `here` runs', () => {
    const spec = readFileSync(join(root, 'fixtures/blocks/coming-from/spec.md'), 'utf8')
    const entries = rows.flatMap((row) => readCode(row['here'] ?? ''))
    expect(entries.length).toBeGreaterThan(15)
    expect(entries.filter((entry) => !spec.includes(entry))).toEqual([])
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
