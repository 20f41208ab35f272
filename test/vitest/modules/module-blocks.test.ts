import { SourceMap } from 'node:module'
import { describe, expect, test } from 'vitest'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import {
  blockSourcesOf,
  generateBlockModule,
  moduleBlocksOf,
  markdownOfModule,
} from '../../../src/vitest/modules/module-blocks.ts'

const file = '/shop/a.test.md'

function parse(text: string) {
  const { spec, problems } = parseSpec(text, { file, agentDefault: 'none' })
  expect(problems).toEqual([])
  return spec
}

describe('the module of a block', () => {
  test.each([0, 1000])('has the code on its lines, and leads back to its columns: %i lines below', (above) => {
    const text = `${'\n'.repeat(above)}# A\n\n  \`\`\`ts\n  first()\n\n    second()\r\n  \`\`\`\n`
    const [source] = blockSourcesOf(parse(text), new Map([[file, text]]))
    expect(source?.id).toBe(`/shop/a.test.md.mdtest-${above + 3}.ts`)
    if (!source) return
    const { code, map } = generateBlockModule(source)
    const lines = code.split('\n').map((line) => line.trimEnd())
    expect(lines.slice(above)).toEqual(['', '', '', 'first()', '', '  second()'])
    const reader = new SourceMap({ ...map, file: '', sourceRoot: '' })
    const [first, second] = [above + 3, above + 5]
    expect(reader.findEntry(first, 0)).toMatchObject({ originalSource: file, originalLine: first, originalColumn: 2 })
    expect(reader.findEntry(second, 4)).toMatchObject({ originalLine: second, originalColumn: 6 })
    expect(reader.findEntry(second, 40)).toMatchObject({ originalLine: second, originalColumn: 12 })
  })

  test('is there for each block, hooks and headings with children too', () => {
    const block = (code: string): string => `\`\`\`js\n${code}\n\`\`\`\n\n`
    const text = `# A\n\n${block('1')}## Setup\n\n${block('2')}## B\n\n${block('3')}### C\n\n${block('4')}## Teardown\n\n${block('5')}`
    expect(moduleBlocksOf(parse(text)).map(({ code }) => code)).toEqual(['2', '5', '1', '3', '4'])
  })

  test.for([
    ['/a/b.test.md.mdtest-12.ts', '/a/b.test.md'],
    ['/a/b.test.md.mdtest-12.js?v=1', '/a/b.test.md'],
    ['/a/b.test.md', undefined],
    ['/a/shared.md.mdtest-12.ts', '/a/shared.md'],
    ['/a/b.test.md.mdtest-12-20.ts', '/a/b.test.md'],
    ['/a/b.ts.mdtest-12.ts', undefined],
    ['/a/b.test.md.mdtest-12.tsx', undefined],
  ] as const)('is known by its id: %s', ([id, spec]) => {
    expect(markdownOfModule(id)).toBe(spec)
  })
})
