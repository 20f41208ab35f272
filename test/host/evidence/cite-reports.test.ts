import { expect, test } from 'vitest'
import { citationsIn } from '../../../src/host/evidence/check-citations.ts'
import { useFolders } from '../use-folder.ts'
import { groundAt } from '../../../src/system/files/ground.ts'

const newFolder = useFolders()

test('looks up what a report cites for its step and for each check, by number or by line', async () => {
  const folder = newFolder()
  await folder.write({ 'T/badge.png': 'x' })
  const citations = await citationsIn(
    [
      {
        id: '1-a',
        status: 'pass',
        evidence: ['badge.png', 'missing.png'],
        checks: [
          { n: 1, status: 'pass', evidence: [{ quote: 'early words' }] },
          { line: 12, status: 'pass', evidence: [{ quote: 'late words' }, { quote: 'words of later' }] },
          { line: 99, status: 'pass', evidence: [{ quote: 'late words' }] },
          { n: 3, status: 'pass' },
        ],
      },
    ],
    {
      outputs: [
        { endedAtMs: 100, text: 'early words' },
        { endedAtMs: 200, text: 'late words' },
        { endedAtMs: 400, text: 'words of later' },
      ],
      ground: groundAt(folder.path),
      evidenceDir: folder.at('T'),
      startedAtMs: 0,
      reportedAtMs: 300,
      lastReportAtMs: 150,
      checkLines: new Map([['1-a', [11, 12, 13]]]),
    },
  )
  const short = citations.map(({ stepId, what, check, found, isEarlier, problem }) =>
    [stepId, what, check ?? 'step', found, isEarlier === true, problem !== undefined].join(' '),
  )
  expect(short).toEqual([
    ...['1-a badge.png step true false false', '1-a missing.png step false false true'],
    ...['1-a early words 1 true true true', '1-a late words 2 true false false'],
    ...['1-a words of later 2 false false true', '1-a late words step true false false'],
  ])
})
