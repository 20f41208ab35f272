import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createBrowserProject, skipReason, timeoutMs } from '../support/browser-project.ts'
import type { Conversation } from '../support/conversation.ts'
import { browse, specName } from '../support/scripts/browse.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { shopScripts } from '../support/scripts/shop-scripts.ts'
import { startShop } from '../support/start-shop.ts'

const plain = (name: string): string =>
  readFileSync(new URL(`../../fixtures/shop/plain/${name}`, import.meta.url), 'utf8')

function isIdle({ prompt }: Conversation): boolean {
  return prompt.includes('Idle:')
}

const reportAtOnce = playTurn(function* () {
  yield callOwn('report_step', { step: '1-log-in', status: 'pass' })
  return 'Logged in.'
})

describe.skipIf(skipReason !== '')(`a folder of plain markdown${skipReason}`, () => {
  test('is carried out, with what its login left in the browser: once for all specs; one that did nothing blocks', async () => {
    await using shop = await startShop()
    await using browser = await createBrowserProject({
      script: (conversation) => (isIdle(conversation) ? reportAtOnce : browse(shopScripts))(conversation),
      files: {
        'plain/AUTH_LOGIN.md': plain('AUTH_LOGIN.md'),
        'plain/orders.md': plain('orders.md'),
        'plain/Photo.MD': plain('Photo.MD'),
        'plain/reports/old.md': '# No spec\n',
        'plain/idle/AUTH_LOGIN.md': 'Idle: do nothing.\n',
        'plain/idle/orders.md': plain('orders.md'),
      },
    })
    const { project, model, env } = browser
    const args = ['run', 'plain', '--agent', 'browser', '--base-url', shop.url, '--provider-url', `${model.url}/v1`]
    const { exitCode, all } = await project.mdtest(args, { env, timeoutMs })
    expect(exitCode, all).toBe(1)
    expect(all).toContain('steps: 2 passed: 2 observed; 1 blocked')
    expect(all).toContain('blocked: LOGIN_FAILED')
    expect(all).toContain('`plain/idle/AUTH_LOGIN.md` did not pass: the agent reports a pass and did nothing.')
    const begun = model.conversations.filter(({ isSideRequest, results }) => !isSideRequest && results.length === 0)
    expect(begun.map(specName).toSorted()).toEqual(['AUTH_LOGIN', 'AUTH_LOGIN', 'Photo', 'orders'])
    const seen = model.conversations.flatMap(({ results }) => results.map(({ text }) => text)).join('\n')
    expect(new Set(seen.match(/You are visitor \d+/g))).toEqual(new Set(['You are visitor 1']))
  })
})
