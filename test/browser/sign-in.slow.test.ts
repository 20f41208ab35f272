import { setTimeout as sleep } from 'node:timers/promises'
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { skipReason, timeoutMs } from '../support/browser-project.ts'
import { startModelServer } from '../support/model-server.ts'
import { findSecret } from '../support/secret-forms.ts'
import { codePeriod, exampleFile, hidden, startShopLogin } from '../support/shop-login.ts'

const specs = ['sign-in', 'order']
const names = [
  'vitest.config.mjs',
  ...['sign-in.test.md', 'order.test.md', 'AUTH_LOGIN.customer.md', 'AUTH_LOGIN.admin.md'].map(
    (name) => `specs/${name}`,
  ),
]

const undated = (recording: string): string => recording.replaceAll(/ on=\S+/g, '')

describe.skipIf(skipReason !== '')(`examples/shop-login${skipReason}`, () => {
  // MDTEST_UPDATE_FIXTURES=1 writes the recordings of the example; read the diff.
  test('is recorded with its scripted model as it stands there and replayed, and no file and no model has a secret', async () => {
    await using shop = await startShopLogin()
    await using project = await createProject(Object.fromEntries(names.map((name) => [name, exampleFile(name)])))
    await using watched = await startModelServer(() => ({ kind: 'silence' }))
    const env = { ...shop.env, OPENAI_API_KEY: 'sk-scripted', MODEL_URL: shop.modelUrl }
    const made = await project.mdtest(['record', '--save-logins'], { env, timeoutMs })
    expect(made.exitCode, made.all).toBe(0)
    for (const name of specs) {
      const file = `specs/${name}.recording.md`
      const recorded = await project.read(file)
      if (process.env.MDTEST_UPDATE_FIXTURES === '1')
        writeFileSync(new URL(`../../examples/shop-login/${file}`, import.meta.url), recorded)
      expect(undated(recorded)).toBe(undated(exampleFile(file)))
    }
    // Another run knows nothing of the codes of this one.
    await sleep(codePeriod * 1000)
    const replayed = await project.mdtest(['run', '--replay', 'only'], {
      env: { ...env, MODEL_URL: `${watched.url}/v1` },
      timeoutMs,
    })
    expect(replayed.exitCode, replayed.all).toBe(0)
    expect(watched.requests).toEqual([])
    for (const value of hidden)
      expect(
        await findSecret(value, { folder: project.dir, texts: { made: made.all, replayed: replayed.all } }),
      ).toEqual([])
  })
})
