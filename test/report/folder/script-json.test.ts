import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { scriptJson } from '../../../src/report/folder/report-folder.ts'
import fc, { anyCharacter } from '../../support/fast-check.ts'

test('a script with any value is that value, and ends no element', () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('</script>', '<!--', ']]>', '\u2028\u2029', '\ud800', 'a\udc00b', '\u0000', '\u202e', '`${x}`'),
  )
  fc.assert(
    fc.property(fc.dictionary(texts, fc.array(texts)), (value) => {
      const script = scriptJson(value)
      expect(script).not.toMatch(/[<>\u2028\u2029]/)
      // As a browser reads it: from a file in UTF-8.
      const read = Buffer.from(script, 'utf8').toString('utf8')
      expect(runInThisContext(`JSON.parse(JSON.stringify(${read}))`)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
