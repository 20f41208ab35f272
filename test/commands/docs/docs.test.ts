import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readDocs } from '../../../src/commands/docs/docs.ts'

const folder = new URL('../../../docs/', import.meta.url)

const printed = (...topics: readonly string[]): string => readDocs(topics)

describe('mdtest docs', () => {
  test('lists every page', () => {
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
    const lines = printed().split('\n')
    expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(pages.length)
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}trust +\S/))
    expect(lines[0]).toContain('Read `first-hour` first')
    expect(lines.find((line) => line.startsWith('  '))).toContain('Your first hour')
  })

  test.each(['trust', 'docs/trust.md', 'Trust', 'trust.md'])('prints the page `%s`', (topic) => {
    expect(printed(topic)).toBe(readFileSync(new URL('trust.md', folder), 'utf8'))
  })

  test.each([
    ['agnets', 'There is no page `agnets`. Did you mean `agents`? `npx vitest-mdtest docs` lists them.'],
    ['writing', 'There is no page `writing`. Did you mean `writing-specs`? `npx vitest-mdtest docs` lists them.'],
    ['weather', 'There is no page `weather`. `npx vitest-mdtest docs` lists them.'],
    ['../package', 'There is no page `../package`. `npx vitest-mdtest docs` lists them.'],
  ])('says that there is no page `%s`', (topic, message) => {
    expect(() => printed(topic)).toThrow(message)
  })
})
