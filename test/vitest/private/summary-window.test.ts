import { expect, test } from 'vitest'
import { DefaultReporter, DotReporter, VerboseReporter } from 'vitest/node'
import { extendSummaryWindow } from '../../../src/vitest/private/summary-window.ts'

/** The shape of Vitest's reporters, as far as it is used; the real ones are in the end-to-end tests. */
function reporterWith(rows: string[]) {
  return { summary: { renderer: { options: { getWindow: () => rows } } } }
}

test('adds lines above those of Vitest until it is closed', () => {
  const reporter = reporterWith(['', ' 0 passed'])
  const { options } = reporter.summary.renderer
  const extension = extendSummaryWindow([{}, reporter], (ownRows) => [`above ${ownRows}`])
  expect(options.getWindow()).toEqual(['', 'above 2', '', ' 0 passed'])
  extension?.[Symbol.dispose]()
  expect(options.getWindow()).toEqual(['', ' 0 passed'])
})

test('changes nothing while there is nothing to add', () => {
  const reporter = reporterWith(['x'])
  extendSummaryWindow([reporter], () => [])
  expect(reporter.summary.renderer.options.getWindow()).toEqual(['x'])
})

test.for([
  ['no list', undefined],
  ['reporters of another kind', [null, 'json', {}, { summary: {} }, { renderer: { options: { getWindow: 1 } } }]],
  [
    'reporters without a terminal',
    [new DefaultReporter({ isTTY: false }), new VerboseReporter({ isTTY: false }), new DotReporter({ isTTY: false })],
  ],
])('finds no window in %s', ([, reporters]) => {
  expect(extendSummaryWindow(reporters, () => ['x'])).toBeUndefined()
})
