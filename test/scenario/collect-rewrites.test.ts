import { describe, expect, test } from 'vitest'
import type { Rewrite } from '../../src/blocks/expected-output/rewrite-markdown.ts'
import { collectRewrites, type AcceptedRewrites } from '../../src/scenario/scenario-updates.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { blocksOf, type Block, type Spec } from '../../src/spec/spec.ts'

function read(text: string): Spec {
  const { spec, problems } = parseSpec(text, { file: '/p/a.test.md' })
  expect(problems).toEqual([])
  return spec
}

const blocksIn = (spec: Spec): readonly Block[] => spec.scenarios.flatMap((scenario) => blocksOf(scenario))
const other = (line: number, ...after: readonly string[]): Rewrite => ({ fenceLine: line, line, before: ['x'], after })

function collect(spec: Spec, accepted: AcceptedRewrites): readonly string[] {
  const { files, refused } = collectRewrites(spec, accepted)
  return [
    ...files.map(({ file, rewrites }) => `${file} ${rewrites.map(({ line, after }) => `${line}=${after}`).join(' ')}`),
    ...refused.map(({ file, line, message }) => `${file}:${line} ${message.split(/[:.]/)[0]}`),
  ]
}

const console1 = '```console\n$ a\nx\n```\n'
const single = `---\nagent: none\n---\n\n# T\n\n## A\n\n${console1}\n## B\n\n${console1}`
const table = `---\nagent: none\n---\n\n# T\n\n## A <name>\n\n${console1}\n### Examples\n\n| name |\n| --- |\n| one |\n| two |\n`

describe('what is to be rewritten', () => {
  test('is what each block has, in the order of the spec', () => {
    const spec = read(single)
    const [a, b] = blocksIn(spec)
    if (!a || !b) throw new TypeError('There are two blocks.')
    const accepted = new Map([b, a].map((block) => [block, [other(block === a ? 7 : 13, 'new')]]))
    expect(collect(spec, accepted)).toEqual(['/p/a.test.md 7=new 13=new'])
  })

  test('is nothing where no block has any, or none passed', () => {
    const spec = read(single)
    expect(collect(spec, new Map())).toEqual([])
    expect(collect(spec, new Map(blocksIn(spec).map((block) => [block, []])))).toEqual([])
  })
})

describe('a block that runs for each row', () => {
  const spec = read(table)
  const differs = '/p/a.test.md:11 this block runs several times, with other output each time'
  const missing =
    '/p/a.test.md:11 this block runs several times, for rows of a table or scenarios that include it, and not all of them ran and passed'
  const placeholder = '/p/a.test.md:11 the output holds what would be read as a placeholder of the table'

  /** Of each run what its output is to be; none where it needs no other; `undefined` where it did not pass. */
  test.each<[string, (readonly string[] | undefined)[], string]>([
    ['is written once', [['same'], ['same']], '/p/a.test.md 11=same'],
    ['is refused where its runs differ', [['one'], ['two']], differs],
    ['is refused where one run needs no other output', [['one'], []], differs],
    ['is refused where one run did not pass', [undefined, ['one']], missing],
    ['is refused where the output would be read as a placeholder', [['<name>'], ['<name>']], placeholder],
    ['may hold what is a placeholder of no column', [['<html>'], ['<html>']], '/p/a.test.md 11=<html>'],
  ])('%s', (_title, runs, result) => {
    const accepted = blocksIn(spec).flatMap((block, index) => {
      const lines = runs[index]
      return lines === undefined ? [] : [[block, lines.map((line) => other(11, line))] as const] // a pair
    })
    expect(collect(spec, new Map(accepted))).toEqual([result])
  })
})

test('blocks that never run are in nobody’s way', () => {
  const spec = read(single.replace('## A', '## A\n\n<!-- mdtest: skip="later" -->'))
  const b = blocksIn(spec).at(-1)
  if (!b) throw new TypeError('There is a block.')
  expect(collect(spec, new Map([[b, [other(15, 'new')]]]))).toEqual(['/p/a.test.md 15=new'])
})
