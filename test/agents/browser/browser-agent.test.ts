import { expect, test } from 'vitest'
import { buildBrowserPrompt } from '../../../src/agents/browser/browser-agent.ts'

test('tells the model what it is, where, and how to report', () => {
  const prompt = buildBrowserPrompt({
    specFile: '/suite/cart.test.md',
    includedFiles: ['/suite/shared/login.md'],
    logFile: '/suite/cart.logs/T.log.md',
    runId: 'a1',
    baseUrl: 'http://127.0.0.1:3000',
    scenarioTitle: 'Cart',
    steps: [
      { id: '1-open', title: 'Open', checks: 0 },
      { id: '2-add', title: 'Add', checks: 2 },
    ],
    otherSteps: [{ id: '3-pay', title: 'Pay' }],
    reports: { evidenceDir: '/suite/cart.logs/T' },
    ...{ hasSetupProse: true, hasTeardownProse: false },
  })
  expect(prompt).toMatchSnapshot()
})
