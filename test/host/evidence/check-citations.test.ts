import { execFileSync } from 'node:child_process'
import { link, mkdir, symlink, utimes } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { citationsIn, type CitationContext } from '../../../src/host/evidence/check-citations.ts'
import type { Evidence } from '../../../src/records/result-log/result-log.ts'
import type { Citation } from '../../../src/verdict/verdict.ts'
import { useFolders, type TestFolder } from '../use-folder.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'

const newFolder = useFolders()

function contextOf(more: Partial<CitationContext> = {}): CitationContext {
  const startedAtMs = Date.now() - 10_000
  return {
    outputs: [],
    ground: groundAt('/'),
    evidenceDir: '/nowhere',
    startedAtMs,
    reportedAtMs: Date.now() + 10_000,
    checkLines: new Map(),
    ...more,
  }
}

/** What became of citations of a step. */
function check(evidence: readonly Evidence[], more: Partial<CitationContext> = {}): Promise<readonly Citation[]> {
  return citationsIn([{ id: '1-a', status: 'pass', evidence }], contextOf(more))
}

const cited = (citation: Evidence): unknown =>
  typeof citation === 'string'
    ? { stepId: '1-a', kind: 'file', what: citation }
    : { stepId: '1-a', kind: 'quote', what: citation.quote }
const found = (citation: Evidence, isEarlier = false): unknown => ({
  ...Object(cited(citation)),
  found: true,
  isEarlier,
})
const lost = (citation: Evidence, problem: string): unknown => ({
  ...Object(cited(citation)),
  found: false,
  isEarlier: false,
  problem: expect.stringContaining(problem),
})

describe('a file', () => {
  async function evidence(): Promise<TestFolder> {
    const folder = newFolder()
    await folder.write({ 'outside.png': 'x', 'T/badge.png': 'x', 'T/deep/shot 1.png': 'x', 'T/empty.png': '' })
    return folder
  }

  const checkFile = async (folder: TestFolder, name: string, more: Partial<CitationContext> = {}): Promise<unknown> =>
    (await check([name], { ground: groundAt(folder.path), evidenceDir: folder.at('T'), ...more }))[0]

  test.for(['badge.png', './badge.png', 'deep/shot 1.png'])('in the folder is found: %s', async (name) => {
    expect(await checkFile(await evidence(), name)).toEqual(found(name))
  })

  test.for([
    ['missing.png', 'is not in'],
    ['../outside.png', 'not a file name'],
    ['deep/../../outside.png', 'not a file name'],
    ['..\\outside.png', 'not a file name'],
    ['/etc/hosts', 'not a file name'],
    ['C:\\hosts', 'not a file name'],
    ['bad\0ge.png', 'not a file name'],
    ['', 'not a file name'],
    ['.', 'not a regular file'],
    ['deep', 'not a regular file'],
    ['badge.png/', 'cannot be read'],
    ['empty.png', 'is empty'],
    ['x'.repeat(5000), 'cannot be read'],
  ] as const)('named %j is not found', async ([name, problem]) => {
    expect(await checkFile(await evidence(), name)).toEqual(lost(name, problem))
  })

  test('behind a link counts if the link stays in the folder', async () => {
    const folder = await evidence()
    await symlink('badge.png', folder.at('T/inner.png'))
    await symlink('../outside.png', folder.at('T/out.png'))
    await symlink('..', folder.at('T/up'))
    await symlink('loop.png', folder.at('T/loop.png'))
    expect(await checkFile(folder, 'inner.png')).toEqual(found('inner.png'))
    expect(await checkFile(folder, 'out.png')).toEqual(lost('out.png', 'leads out'))
    expect(await checkFile(folder, 'up/outside.png')).toEqual(lost('up/outside.png', 'leads out'))
    expect(await checkFile(folder, 'loop.png')).toEqual(lost('loop.png', 'cannot be read'))
  })

  test('is not found in a folder that the agent made a link', async () => {
    const folder = await evidence()
    await symlink('T', folder.at('linked'))
    const [checked] = await check(['badge.png'], { evidenceDir: folder.at('linked') })
    expect(checked).toEqual(lost('badge.png', 'no folder of its own'))
  })

  test('may lie in a folder on the way to which there are links', async () => {
    const folder = await evidence()
    await symlink('.', folder.at('alias'))
    const [checked] = await check(['badge.png'], {
      ground: groundAt(folder.at('alias')),
      evidenceDir: folder.at('alias/T'),
    })
    expect(checked).toEqual(found('badge.png'))
    const below = { ground: groundAt(folder.path), evidenceDir: folder.at('alias/T') }
    expect(await check(['badge.png'], below)).toEqual([lost('badge.png', 'leads out of')])
  })

  test('that is a named pipe does not stop the check', async () => {
    const folder = await evidence()
    execFileSync('mkfifo', [folder.at('T/pipe.png')])
    expect(await checkFile(folder, 'pipe.png')).toEqual(lost('pipe.png', 'not a regular file'))
  })

  test('from before the start does not count, with 2 s for coarse clocks', async () => {
    const folder = await evidence()
    const startedAtMs = Date.now()
    const made = async (beforeMs: number): Promise<unknown> => {
      const time = new Date(startedAtMs - beforeMs)
      await utimes(folder.at('T/badge.png'), time, time)
      return checkFile(folder, 'badge.png', { startedAtMs })
    }
    expect(await made(1_900)).toEqual(found('badge.png'))
    expect(await made(2_100)).toEqual(lost('badge.png', 'older than this run'))
  })

  test('from before the last report is earlier evidence', async () => {
    const folder = await evidence()
    expect(await checkFile(folder, 'badge.png', { lastReportAtMs: Date.now() + 5_000 })).toEqual(
      found('badge.png', true),
    )
    expect(await checkFile(folder, 'badge.png', { lastReportAtMs: Date.now() - 5_000 })).toEqual(found('badge.png'))
  })

  test('is not found when there is no folder', async () => {
    const folder = newFolder()
    expect(await checkFile(folder, 'badge.png')).toEqual(lost('badge.png', 'is not in'))
    await folder.write({ T: 'a file' })
    expect(await checkFile(folder, 'badge.png')).toEqual(lost('badge.png', 'no folder of its own'))
  })

  test('may have a second name', async () => {
    const folder = await evidence()
    await mkdir(folder.at('T/more'))
    await link(folder.at('T/badge.png'), folder.at('T/more/badge.png'))
    expect(await checkFile(folder, 'more/badge.png')).toEqual(found('more/badge.png'))
  })
})

describe('a quote', () => {
  const outputs = [
    { endedAtMs: 100, text: 'first call: 3 items\n42\n' },
    { endedAtMs: 200, text: 'the cart holds\r\n\t 1 \u001b[32mitem\u001b[0m in it' },
    { endedAtMs: 300, text: 'total 7' },
    { endedAtMs: 500, text: 'printed after the report' },
  ]
  const checkQuote = async (quote: string, more: Partial<CitationContext> = {}): Promise<unknown> =>
    (await check([{ quote }], { outputs, startedAtMs: 0, reportedAtMs: 400, ...more }))[0]

  test.for([
    ...['first call: 3 items', 'the cart holds\n1 item in it', '  the cart\n holds ', '42', 'total 7'],
    '\u001b[1m1 item\u001b[0m in it',
  ])('that was printed is found: %j', async (quote) => {
    expect(await checkQuote(quote)).toEqual(found({ quote }))
  })

  test.for([
    ['First call', 'in no output'],
    ['3 items 42 the cart', 'in no output'],
    ['printed after', 'in no output'],
    ['', 'is empty'],
    [' \n\t', 'is empty'],
  ] as const)('%j is not found', async ([quote, problem]) => {
    expect(await checkQuote(quote)).toEqual(lost({ quote }, problem))
  })

  test.for(['3', 'tot', 'cart holds\n1 item in it', 'the cart holds 1 item in it', '3 items'])(
    'that is a part of a line is no proof: %j',
    async (quote) => {
      expect(await checkQuote(quote)).toMatchObject({
        found: true,
        problem: expect.stringContaining('part of the line'),
      })
    },
  )

  test('is earlier evidence only if nothing after the last report holds it', async () => {
    const earlier = {
      ...Object(found({ quote: 'first call: 3 items' }, true)),
      problem: expect.stringContaining('before the last'),
    }
    expect(await checkQuote('first call: 3 items', { lastReportAtMs: 200 })).toEqual(earlier)
    expect(await checkQuote('total 7', { lastReportAtMs: 200 })).toEqual(found({ quote: 'total 7' }))
    const again = [...outputs, { endedAtMs: 350, text: 'first call: 3 items' }]
    expect(await checkQuote('first call: 3 items', { outputs: again, lastReportAtMs: 200 })).toEqual(
      found({ quote: 'first call: 3 items' }),
    )
  })
})

test('citations are checked one by one, in their order', async () => {
  const outputs = [{ endedAtMs: 1, text: 'hello world' }]
  const citations = ['missing.png', { quote: 'hello' }, { quote: 'bye bye' }]
  const checked = await check(citations, { outputs })
  expect(checked.map(({ what, found: isFound }) => [what, isFound])).toEqual([
    ['missing.png', false],
    ['hello', true],
    ['bye bye', false],
  ])
})

describe('many quotes', () => {
  const chars = 1024 * 1024

  test('leave the process its turns, whatever was printed', async () => {
    const words = 'word word  \n'.repeat(chars / 12)
    const outputs = Array.from({ length: 4 }, (_, n) => ({ endedAtMs: n, text: `${words}${n}` }))
    const citations = Array.from({ length: 100 }, (_, n) => ({ quote: `word word word ${n} is missing` }))
    let turns = 0
    const turn = (): void => {
      turns += 1
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    const checked = await check(citations, { outputs })
    clearImmediate(next)
    expect(checked.filter(({ found: isFound }) => isFound)).toEqual([])
    expect(checked).toHaveLength(100)
    expect(turns).toBeGreaterThan(0)
  })

  test('are no evidence from a number on, and it is said', async () => {
    const outputs = [{ endedAtMs: 1, text: 'these words' }]
    const citations = Array.from({ length: 2_001 }, () => ({ quote: 'these words' }))
    const checked = await check(citations, { outputs })
    expect(checked.filter(({ found: isFound }) => isFound)).toHaveLength(2_000)
    expect(checked.at(-1)).toEqual(lost({ quote: 'these words' }, 'was not looked at: only the first 2000 are'))
  })

  test('of what was let go are told so', async () => {
    const [checked] = await check([{ quote: 'gone words' }], { droppedOutputs: 3 })
    expect(checked).toEqual(
      lost({ quote: 'gone words' }, 'The output of 3 earlier calls was dropped: only the last 16 MiB'),
    )
  })
})

test('a quote of an agent that hides outputs is found, and proves nothing', async () => {
  const [citation] = await check([{ quote: 'added milk' }], { hidesOutputs: true })
  expect(citation).toMatchObject({ found: true, problem: expect.stringContaining('does not show what its commands') })
})

test.each([
  [true, 2_000, true],
  [true, 1_999, false],
  [false, 2_000, false],
  [false, 600_000, true],
])('a quote that is in no output may be of what was cut out: %j, %i', async (isToldByAgent, length, isCut) => {
  const outputs = [{ endedAtMs: 1, text: 'x'.repeat(length) }]
  const [citation] = await check([{ quote: 'of the middle' }], { outputs, isToldByAgent })
  expect(citation?.problem?.includes('may be cut: have mdtest execute')).toBe(isCut)
})

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
