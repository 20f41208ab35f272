import { parseAst } from 'rolldown/parseAst'
import { describe, expect, test } from 'vitest'
import { isExport, wrapBlock } from '../../../src/vitest/modules/module-blocks.ts'

function wrap(code: string): string {
  return wrapBlock(code, { id: '/a.test.md.mdtest-3.js', statements: parseAst(code).body }).code
}

describe('wrapBlock', () => {
  test('makes a function of the code, and leaves it where it is', () => {
    const code = '\n\nconst a = await b\n// the end'
    expect(wrap(code)).toContain(`export default async ({ $, captures, dir, expect, readFile }) => {{\n${code}\n}}`)
  })

  test('takes imports out of it, wherever they stand, without moving what follows', () => {
    const code = `go(); import './x.js'\nimport {\n  a, // one\n} from 'a'\nimport b, * as c from 'b' with { type: 'json' }; done()`
    const [head, body] = wrap(code).split('export default')
    expect(head).toBe(
      `import './x.js'\nimport {\n  a, // one\n} from 'a'\nimport b, * as c from 'b' with { type: 'json' };\n`,
    )
    expect(body?.split('\n').slice(1, -1)).toEqual([
      `go(); ${' '.repeat(15)}`,
      ' '.repeat(8),
      ' '.repeat(11),
      ' '.repeat(10),
      `${' '.repeat(48)} done()`,
    ])
  })

  test('leaves to the code what it imports under the name of something in scope', () => {
    const code = `import { $ } from 'execa'\nimport { e as expect } from 'chai'\nimport * as dir from 'd'\nimport readFile from 'r'`
    expect(wrap(code)).toContain('async ({ captures }) => {{')
  })

  test('lets the code declare what is in scope', () => {
    const wrapped = wrap('const $ = 1; let dir = 2; var captures = 3; function expect() {} class readFile {}')
    expect(() => parseAst(wrapped)).not.toThrow()
  })

  test('knows `export {}` from exports', () => {
    const exported = (code: string): readonly boolean[] => parseAst(code).body.map(isExport)
    expect(exported(`export {}\nexport const a = 1\nexport { a as b }\nexport default a\nexport * from 'a'`)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
    expect(wrap('a()\nexport {};')).toMatch(/\{\{\na\(\)\n {10}\n\}\}$/)
  })
})
