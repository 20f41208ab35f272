import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEntries, readPublicSymbols } from './public-symbols.ts'
import { root } from './tracked-files.ts'

const hasEntries = existsSync(join(root, 'src/public'))

describe('the public API', () => {
  test.runIf(hasEntries)('has a source file for every export of the package', () => {
    expect(readEntries().filter(({ source }) => !existsSync(join(root, source)))).toEqual([])
  })

  test.runIf(hasEntries)('exports the names in public-api.txt and no others', async () => {
    const lines = readEntries().map(({ name, source }) => {
      const symbols = readPublicSymbols(source).map(({ exported, isType }) => `  ${isType ? 'type ' : ''}${exported}`)
      return [name, ...symbols.toSorted()].join('\n')
    })
    await expect(`${lines.join('\n\n')}\n`).toMatchFileSnapshot('public-api.txt')
  })

  test.runIf(hasEntries)('says what each exported symbol is for', () => {
    const undocumented = readEntries()
      .flatMap(({ source }) => readPublicSymbols(source))
      .filter((symbol) => !isDocumented(symbol))
      .map(({ file, local }) => `${file}: \`${local}\` has no doc comment`)
    expect([...new Set(undocumented)]).toEqual([])
  })

  test.skipIf(hasEntries).todo('waits for the entries in src/public')
})

function isDocumented({ file, local }: { readonly file: string; readonly local: string }): boolean {
  const source = readFileSync(join(root, file), 'utf8')
  const declaration = new RegExp(
    String.raw`\*/\n(?:export )?(?:default )?(?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) ${local}\b`,
  )
  return declaration.test(source)
}
