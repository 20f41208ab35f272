import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import { browserUnavailable } from '../support/open-browser.ts'
import { findSecret } from '../support/secret-forms.ts'
import { exampleFile, hidden, shopLoginScript, startShopLogin } from '../support/shop-login.ts'
import { claude, codex, createRealProject, gemini, sampleOf, skipReason } from './real-project.ts'

const why = skipReason !== '' || browserUnavailable === undefined ? skipReason : ` (skipped: ${browserUnavailable})`
const logins = ['AUTH_LOGIN.customer.md', 'AUTH_LOGIN.admin.md']

describe.skipIf(why !== '').each(sampleOf([gemini, codex, claude]))(`$title${why}`, (product) => {
  test('signs in two users by password, code and mail, and neither its model nor a file gets a secret', async () => {
    await using shop = await startShopLogin()
    const spec = exampleFile('specs/order.test.md').replace(
      'agent: browser',
      `agent: ${product.agent}\nrequires: [browser]`,
    )
    await using real = await createRealProject({
      product,
      script: await shopLoginScript(),
      options: {
        ...{ executor: 'mdtest', baseUrl: shop.url, mailbox: shop.mails.url },
        ...{ secrets: ['SHOP_PASSWORD'], totp: { SHOP_CODE: 'SHOP_TOTP_SECRET' } },
      },
      files: {
        'order.test.md': spec,
        ...Object.fromEntries(logins.map((name) => [name, exampleFile(`specs/${name}`)])),
      },
    })
    const { stdout, all } = await real.vitest(['run', '--reporter=json'], shop.env)
    expect(verdictsOf(stdout, 'order.test.md'), all).toEqual(Array(2).fill('pass witnessed'))
    const texts = { all, requests: JSON.stringify(real.model.requests) }
    expect(texts.requests).toContain('type_secret')
    for (const value of hidden)
      for (const folder of [real.project.dir, dirname(real.env.HOME ?? '')])
        expect(await findSecret(value, { folder, texts })).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})
