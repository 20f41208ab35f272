import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openStates } from '../../src/plan/rests-on/last-reads.ts'
import { useFolders } from '../host/use-folder.ts'

const newFolder = useFolders()

test('a named pipe is not read, since nobody may ever write to it', () => {
  const root = newFolder()
  execFileSync('mkfifo', [root.at('pipe')])
  expect(openStates(root.path)('pipe')).toBe('absent')
})
