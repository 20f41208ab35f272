import { failures, openLargeSuite, type Runner } from '../lib/large-suite.ts'
import type { Measure } from '../lib/measure.ts'
import type { Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const maxShare = 1 / 20
const charactersPerToken = 4

/** Compares the size of `run_test`'s answer, for a run with few failures, with the full output of the runner. */
export const answer: Measure = async ({ log }) => {
  const suite = await openLargeSuite()
  try {
    const rows: Row[] = []
    for (const runner of ['vitest', 'node'] as const) {
      const answered = await suite.run(runner)
      const forms = [answered.text, JSON.stringify(answered.output)]
      for (const form of forms) assertCount('failures in the answer', { expected: 3, actual: countFailures(form) })
      const raw = (await suite.readRawLog(answered)).replaceAll(/^(?:out|err)\| /gm, '')
      log(`counted: ${forms.map(tokensOf).join(' and ')} tokens of ${tokensOf(raw)} with ${runner}`)
      rows.push(rowOf(runner, { ours: Math.max(...forms.map(tokensOf)), plain: tokensOf(raw) }))
    }
    return rows
  } finally {
    await suite.close()
  }
}

function countFailures(text: string): number {
  return failures.filter(
    (number) =>
      text.includes(`the sum of ${number} and one`) &&
      new RegExp(`test\\.mjs(?::|","line":)\\d+`).test(text) &&
      new RegExp(`expected\\W+${number}\\W+(?:received\\W+)${number + 1}\\b`).test(text),
  ).length
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken)
}

function rowOf(runner: Runner, { ours, plain }: { ours: number; plain: number }): Row {
  return {
    name: `answer with ${runner}`,
    ours: `${ours} tokens`,
    plain: `${plain} tokens`,
    result: `1/${Math.floor(plain / ours)}`,
    target: '<= 1/20',
    verdict: ours / plain <= maxShare ? 'ok' : 'over',
  }
}
