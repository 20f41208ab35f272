import { mkdirSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { filesBehindLinks } from '../../../src/host/guard/source-guard.ts'
import { useFolders, type TestFolder } from '../use-folder.ts'

const newFolder = useFolders()

/** A root with links, and what lies beside it. */
async function linked(target: string): Promise<{ readonly folder: TestFolder; readonly found: readonly string[] }> {
  const folder = newFolder()
  await folder.write({
    'root/src/a.ts': '',
    'out/b.ts': '',
    'out/sub/c.ts': '',
    'out/node_modules/x/d.ts': '',
    'out/.git/HEAD': '',
  })
  mkdirSync(folder.at('empty'))
  symlinkSync(target, folder.at('root/link'))
  const behind = filesBehindLinks([folder.at('root/link')], folder.at('root'))
  const short = (path: string): string => path.slice(folder.path.length + 1)
  return { folder, found: [...behind].map(([file, name]) => `${short(file)} as ${short(name)}`).toSorted() }
}

describe('behind a link', () => {
  test.each<[string, readonly string[]]>([
    ['src/a.ts', ['root/src/a.ts as root/link']],
    ['../out/b.ts', ['out/b.ts as root/link']],
    ['../out', ['out/b.ts as root/link/b.ts', 'out/sub/c.ts as root/link/sub/c.ts']],
    ['../empty', []],
    ['src', []],
    ['.', []],
    ['..', []],
    ['nowhere', []],
    ['link', []],
  ])('to %s', async (target, files) => {
    expect((await linked(target)).found).toEqual(files)
  })

  test('is nothing where there is no link, and no root either', () => {
    expect(filesBehindLinks([], '/nowhere').size).toBe(0)
  })
})
