import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { followFile } from '../../../src/host/evidence/follow-file.ts'
import { useFolders } from '../use-folder.ts'

const newFolder = useFolders()

test('a pipe or a link in the place of the file is not waited for and not followed', async () => {
  const folder = newFolder()
  await folder.write({ 'secret.txt': 'secret\n' })
  const lines: string[] = []
  const followed = followFile(folder.at('notes'), (line) => lines.push(line))
  followed.poll()
  execFileSync('mkfifo', [folder.at('notes')])
  followed.poll()
  rmSync(folder.at('notes'))
  symlinkSync('secret.txt', folder.at('notes'))
  followed.poll()
  rmSync(folder.at('notes'))
  appendFileSync(folder.at('notes'), 'one\ntw')
  followed.poll()
  appendFileSync(folder.at('notes'), 'o')
  followed.close()
  expect(lines).toEqual(['one', 'two'])
})
