import { symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readShortLog } from '../../../src/records/folders/log-file.ts'
import { useFolders } from '../../host/use-folder.ts'

const createFolder = useFolders()

test('a log that is short is read, any other thing in its place is not', async () => {
  const folder = createFolder()
  await folder.write({ 'short.md': 'naïve', 'longest.md': 'x'.repeat(65_536), 'long.md': 'x'.repeat(65_537) })
  symlinkSync(folder.at('short.md'), folder.at('link.md'))
  expect(readShortLog(folder.at('short.md'))).toBe('naïve')
  expect(readShortLog(folder.at('longest.md'))).toHaveLength(65_536)
  expect(readShortLog(folder.at('long.md'))).toBeUndefined()
  expect(readShortLog(folder.at('link.md'))).toBeUndefined()
  expect(readShortLog(folder.at('missing.md'))).toBeUndefined()
  expect(readShortLog(folder.path)).toBeUndefined()
})
