import type { ReportedStep, SpecRecord } from '../../src/report/data/spec-record.ts'

const at = '2026-02-10T14:30:05.000Z'

/** A step of a report that passed, but for what is given. */
export function reportedStep(given: Partial<ReportedStep> = {}): ReportedStep {
  const { outcome = 'pass' } = given
  return {
    anchor: '1-add',
    titles: ['Shop', 'Add'],
    line: 3,
    outcome,
    // Only a pass is backed by something.
    ...(outcome === 'pass' && { assurance: 'verified' }),
    reasons: [],
    durationMs: 1200,
    checks: [],
    calls: [],
    images: [],
    files: [],
    ...given,
  }
}

/** A spec of a report with one step, but for what is given. */
export function specRecord(given: Partial<SpecRecord> = {}): SpecRecord {
  return {
    spec: 'shop.test.md',
    title: 'Shop',
    startedAt: '2026-02-10T14:30:00.000Z',
    endedAt: '2026-02-10T14:30:10.000Z',
    durationMs: 10_000,
    outcome: 'pass',
    sources: [{ text: '# Shop\n\n## Add\n\nPut a mug into the cart.\n' }],
    problems: [],
    steps: [reportedStep()],
    runs: [],
    ...given,
  }
}

const cart = `---
requires: [browser]
---

# Cart and payment

What a customer does on a Monday morning. See the [handbook](https://example.com/handbook).

## Put a mug into the cart

Open the shop, choose the blue mug and put it into the cart.

- [ ] The badge of the cart reads 1
- [ ] The price of the mug is **12 €**

## Pay by card

Pay with the test card. The order is on disk afterwards.

\`\`\`console verify
$ jq .state orders/1.json
"paid"
\`\`\`

## Ask for a refund

- [ ] The customer gets a mail
`

/** A spec with all that a report can show, and the screenshot at this path. */
export function richRecord(image: string): SpecRecord {
  const diff = '`jq .state orders/1.json`: output is not as expected (- expected, + actual):\n- "paid"\n+ "open"'
  const call = { at, kind: 'browser', excerpt: '' } as const // literals
  const images = [{ name: '01-1-put-a-mug-into-the-cart.png', path: image }]
  return specRecord({
    spec: 'shop/cart.test.md',
    title: 'Cart and payment',
    baseUrl: 'http://shop.test/',
    outcome: 'fail',
    sources: [{ text: cart }],
    steps: [
      reportedStep({
        anchor: '1-put-a-mug-into-the-cart',
        titles: ['Cart and payment', 'Put a mug into the cart'],
        line: 9,
        assurance: 'evidenced',
        source: {
          kind: 'handed-over',
          reason: { code: 'REPLAY_DIFFERS', message: 'Else came.', cause: 'output changed', line: 9 },
        },
        durationMs: 8400,
        said: { status: 'pass', observed: 'the badge went from 0 to 1', evidence: [{ quote: '1 item in your cart' }] },
        checks: [
          { n: 1, line: 13, text: 'The badge of the cart reads 1', status: 'pass', observed: 'it reads 1' },
          { n: 2, line: 14, text: 'The price', status: 'pass', evidence: [{ quote: 'Blue mug 12 €' }] },
        ],
        calls: [
          { ...call, title: 'navigate http://127.0.0.1:8080/' },
          {
            ...call,
            title: 'click “Add to cart”',
            excerpt: 'Cart: 1 item\nBlue mug 12 €',
          },
          {
            ...call,
            kind: 'command',
            title: 'cat orders',
            exitCode: 1,
            denied: true,
          },
        ],
        images,
      }),
      reportedStep({
        anchor: '2-pay-by-card',
        titles: ['Cart and payment', 'Pay by card'],
        line: 16,
        outcome: 'fail',
        durationMs: 5100,
        said: { status: 'pass', observed: 'the page thanks for the order' },
        reasons: [{ code: 'VERIFY_FAILED', message: diff, line: 21 }],
        images: [{ name: '02-2-pay-by-card.png', path: image }],
        findings: {
          consoleErrors: { count: 2, first: ['Uncaught: no till', 'again'] },
          failedRequests: { count: 1, statuses: ['404'], first: ['GET http://shop.test/till: 404 Not Found'] },
        },
      }),
      reportedStep({
        anchor: '3-ask-for-a-refund',
        titles: ['Cart and payment', 'Ask for a refund'],
        line: 25,
        outcome: 'skipped',
        durationMs: 0,
        reasons: [{ code: 'PREDECESSOR_FAILED', message: 'Not judged, because step "Pay by card" failed.', line: 25 }],
        checks: [{ n: 1, line: 27, text: 'The customer gets a mail' }],
      }),
    ],
    runs: [
      {
        scenario: 'Cart and payment',
        agent: 'browser',
        startedAt: at,
        attempt: 2,
        usage: {
          inputTokens: 41_000,
          outputTokens: 1900,
          costUsd: 0.12,
          turns: 9,
          model: 'model-1',
          durationMs: 13_000,
        },
        narrative: 'I went through the shop as a customer.\n\nThe card was accepted at once.',
        otherCalls: [],
        notes: [],
        images: [],
        files: [{ title: 'agent output', path: 'logs/0000000000000000-run.raw.log', bytes: 48_000 }],
      },
    ],
  })
}

/** A spec that could not be tried. */
export const blockedRecord = specRecord({
  spec: 'till.test.md',
  title: 'Till',
  outcome: 'blocked',
  sources: [{ text: '# Till\n\n## Add\n\nPay at the till.\n' }],
  steps: [
    {
      ...reportedStep({
        titles: ['Till', 'Add'],
        outcome: 'blocked',
        said: { status: 'blocked', observed: 'there is no card reader' },
      }),
      reasons: [{ code: 'AGENT_BLOCKED', message: 'The agent reports that it could not try this step.', line: 3 }],
    },
  ],
})
