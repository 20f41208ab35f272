import { describe, expect, test } from 'vitest'
import { parseAttributes } from '../../../src/spec/blocks/attributes-and-directives.ts'
import { parseWords } from '../../../src/spec/front-matter/value-forms.ts'
import type { Block, BlockAttributes } from '../../../src/spec/spec.ts'
import { collectProblems } from '../collect-problems.ts'

type Kind = Block['kind']

function read(text: string, kind: Kind): { readonly attributes: BlockAttributes; readonly found: readonly string[] } {
  const { report, found } = collectProblems()
  return { attributes: parseAttributes(parseWords(text, { line: 3, column: 7 }), kind, report), found }
}

describe('attributes of a block', () => {
  test.each<[string, Kind, BlockAttributes]>([
    ['', 'script', { env: {} }],
    ['exit=0 errexit=off', 'script', { env: {}, exit: 0, errexit: 'off' }],
    ['exit=255', 'script', { env: {}, exit: 255 }],
    ['timeout=500ms skip', 'module', { env: {}, timeoutMs: 500, skip: true }],
    ['stream=both cwd=a/../b', 'console', { env: {}, stream: 'both', cwd: 'a/../b' }],
    ['background wait=port:65535', 'script', { env: {}, background: true, wait: 'port:65535' }],
    ['wait="file:/tmp/a b"', 'script', { env: {}, wait: 'file:/tmp/a b' }],
    ['file="a b/c.txt"', 'file', { env: {}, file: 'a b/c.txt' }],
    ['env.A=1 env._b="two words" env.C=', 'script', { env: { A: '1', _b: 'two words', C: '' } }],
    ['env.A="say \\"hi\\" \\\\"', 'console', { env: { A: 'say "hi" \\' } }],
    ['env.A=ü=ñ', 'module', { env: { A: 'ü=ñ' } }],
  ])('%j of a %s are read', (text, kind, expected) => {
    expect(read(text, kind)).toEqual({ attributes: expected, found: [] })
  })

  test.each<[string, Kind, string]>([
    ['exit=256', 'script', 'bad-attribute-value'],
    ['exit', 'script', 'bad-attribute-value'],
    ['errexit=on', 'script', 'bad-attribute-value'],
    ['timeout=0s', 'module', 'bad-attribute-value'],
    ['cwd=..', 'script', 'bad-attribute-value'],
    ['skip=yes', 'console', 'bad-attribute-value'],
    ['wait=port:0', 'script', 'bad-attribute-value'],
    ['wait=port:65536', 'script', 'bad-attribute-value'],
    ['wait=port:http', 'script', 'bad-attribute-value'],
    ['wait=file:', 'script', 'bad-attribute-value'],
    ['file=a/', 'file', 'bad-attribute-value'],
    ['file=a/..', 'file', 'bad-attribute-value'],
    ['file=.', 'file', 'bad-attribute-value'],
    ['env.1A=x', 'script', 'bad-attribute-value'],
    ['env.A', 'script', 'bad-attribute-value'],
    ['timeout="1s', 'script', 'bad-attribute-value'],
    ['exit=1', 'console', 'unknown-attribute'],
    ['wait=port:1', 'module', 'unknown-attribute'],
    ['env.A=1', 'file', 'unknown-attribute'],
    ['env', 'script', 'unknown-attribute'],
    ['constructor', 'script', 'unknown-attribute'],
    ['Exit=1', 'script', 'unknown-attribute'],
  ])('%j of a %s is a mistake at its place', (text, kind, rule) => {
    expect(read(text, kind)).toEqual({ attributes: { env: {} }, found: [`${rule} 3:7`] })
  })

  test('the second of two is a mistake, and the first one counts', () => {
    const { attributes, found } = read('exit=1  exit=2 env.A=1 env.B=2 env.A=3', 'script')
    expect(attributes).toEqual({ env: { A: '1', B: '2' }, exit: 1 })
    expect(found).toEqual(['duplicate-attribute 3:15', 'duplicate-attribute 3:38'])
  })

  test('a variable may have any name that a shell takes', () => {
    const { attributes } = read('env.__proto__=a env.constructor=b', 'script')
    expect(Object.entries(attributes.env)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })
})
