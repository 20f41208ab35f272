import { expect, test } from 'vitest'
import { jobEntries } from '../../src/pull-request/job-results.ts'
import { maxCharacters, readCells, withCell, writeComment, type WrittenCell } from '../../src/pull-request/comment.ts'
import { cellOf, failingStep, readSpec } from '../support/pull-request.ts'

const failed = cellOf({
  name: 'node 24',
  outcome: 'fail',
  steps: { fail: 1, pass: 1 },
  entries: ['❌ one\n\n', 'two\n\n'],
})

test('a comment is read as it was written, also with the line ends of a browser', () => {
  const cells = [cellOf(), failed]
  expect(readCells(writeComment(cells))).toEqual(cells)
  expect(readCells(writeComment(cells).replaceAll('\n', '\r\n'))).toEqual(cells)
  expect(readCells('<!-- vitest-mdtest:comment -->\nchanged by hand <!-- vitest-mdtest:cell e30= -->\n')).toEqual([])
})

test.for<readonly [what: string, before: Partial<WrittenCell>, own: Partial<WrittenCell>, jobs: readonly string[]]>([
  ['the same job again', { job: 'a' }, { job: 'a' }, ['a 1.1']],
  ['another job of the run, such as of a matrix without names', { job: 'a' }, { job: 'b' }, ['a 1.1', 'b 1.1']],
  ['a newer attempt', { job: 'a' }, { job: 'b', attempt: 2 }, ['b 1.2']],
  ['a newer run', { job: 'a', attempt: 3 }, { job: 'b', run: 2 }, ['b 2.1']],
  ['an older run that ends late', { job: 'b', run: 2 }, { job: 'a' }, ['b 2.1']],
  ['an older attempt that ends late', { job: 'b', attempt: 2 }, { job: 'a' }, ['b 1.2']],
  ['another suite', { name: 'x', job: 'a' }, { name: 'y', job: 'b' }, ['a 1.1', 'b 1.1']],
])('the newest run of a suite counts: %s', ([, before, own, jobs]) => {
  const cells = withCell([cellOf(before)], cellOf(own))
  expect(cells.map(({ job, run, attempt }) => `${job} ${run}.${attempt}`)).toEqual(jobs)
})

test('totals are of the newest commit; what is older is shown and not counted', () => {
  const body = writeComment([
    cellOf({ name: 'old', commit: '0123456789' }),
    cellOf({ name: 'new', run: 2, steps: { fail: 3 } }),
  ])
  expect(body.split('\n').slice(0, 4)).toEqual([
    '<!-- vitest-mdtest:comment -->',
    '### Specs',
    '',
    expect.stringContaining('3 failed · 1.0 s'),
  ])
  expect(body).toContain(
    '<code>old</code> (of an older commit, <code>01234567</code>, and not counted): 2 passed (2 verified)',
  )
})

test('two suites stand open, more are folded with their verdict in the title', () => {
  const cells = ['a', 'b', 'c'].map((name) => cellOf({ ...failed, name }))
  expect(writeComment(cells.slice(0, 2)).match(/<details open>/g)).toHaveLength(2)
  expect(writeComment(cells)).not.toContain('<details open>')
  expect(
    writeComment(cells).match(/<summary>❌ <code>\w<\/code>: 1 failed, 1 passed · 1\.0 s<\/summary>/g),
  ).toHaveLength(3)
})

test('a thousand failing specs fit: the rest is told by count', () => {
  const steps = [failingStep('The receipt says 12.00, and a rather long sentence follows it. '.repeat(5))]
  const specs = Array.from({ length: 1000 }, (_, index) => readSpec({ spec: `specs/${index}.test.md`, steps }))
  const place = { repository: { server: 'https://github.com', name: 'o/r', commit: 'abc', folder: 'web' } }
  const entries = jobEntries({ specs, errors: [], missing: 0, wallTimeMs: 1 }, place)
  const body = writeComment([cellOf({ outcome: 'fail', steps: { fail: 1000 }, entries }), cellOf({ name: 'other' })])
  expect(body.length).toBeLessThanOrEqual(maxCharacters)
  expect(body.length).toBeGreaterThan(maxCharacters * 0.8)
  const shown = body.match(/❌ \[`specs/g)?.length ?? 0
  expect(body).toContain(`${1000 - shown} more are not shown here.`)
  const [cell] = readCells(body)
  expect([cell?.entries.length, cell?.hidden]).toEqual([shown, 1000 - shown])
  expect(writeComment(readCells(body))).toBe(body)
})
