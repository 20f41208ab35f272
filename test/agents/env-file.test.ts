import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { withEnvFile } from '../../src/agents/env-file.ts'
import { useFolders } from '../host/use-folder.ts'

const makeFolder = useFolders()

test('adds what is not set, or empty, and leaves the rest', async () => {
  const folder = makeFolder()
  const env = { OPENAI_API_KEY: '', MDTEST_MODEL: 'of-process' }
  expect(withEnvFile(env, folder.path)).toEqual({ MDTEST_MODEL: 'of-process' })
  await writeFile(folder.at('.env'), '# keys\nOPENAI_API_KEY="of file"\nMDTEST_MODEL=of-file\nexport A=b\n')
  expect(withEnvFile(env, folder.path)).toEqual({ OPENAI_API_KEY: 'of file', MDTEST_MODEL: 'of-process', A: 'b' })
})
