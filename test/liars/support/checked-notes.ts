import { verifiedSpec } from './notes.ts'

/** A spec whose `verify` block runs a module that imports another. */
export const checkedSpec = verifiedSpec('node check.mjs')

export const checker = {
  'check.mjs': `import { readFileSync } from 'node:fs'
import { deepStrictEqual } from 'node:assert'
import { expected } from './expected.mjs'
deepStrictEqual(JSON.parse(readFileSync('notes.json', 'utf8')), expected)
`,
  'expected.mjs': `export const expected = ['milk']\n`,
}
