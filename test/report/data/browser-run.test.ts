import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openKeptFiles } from '../../../src/report/folder/kept-files.ts'
import { readRevision } from '../../../src/report/data/run-record.ts'
import { recordSpec } from '../../../src/report/data/build-spec-record.ts'
import type { EndedSpec, SpecRecord } from '../../../src/report/data/spec-record.ts'
import { formatJournalEntry, type JournalEntry } from '../../../src/records/journal/journal.ts'
import type { RecordedStep, VerdictRecord } from '../../../src/records/verdict/verdict-record.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'
import { useFolders } from '../../host/use-folder.ts'

const createFolder = useFolders()
const spec = '# Shop\n\n## Look\n\nLook.\n\n## Pay\n\nPay.\n'
const stem = 'shop.logs/2026-02-10T14-30-00Z'
const lookStep = { id: '1-look', title: 'Look', line: 3 }
const payStep = { id: '2-pay', title: 'Pay', line: 7 }

function step(given: Pick<RecordedStep, 'id' | 'title' | 'line'>, image: string): RecordedStep {
  return { ...given, outcome: 'fail', reasons: [], durationMs: 1, images: [image] }
}

function call(given: Partial<JournalEntry>): string {
  const at = '2026-02-10T14:30:01Z'
  return formatJournalEntry({
    id: 't',
    at,
    step: '1-look',
    kind: 'browser',
    title: '',
    excerpt: '',
    activity: true,
    ...given,
  })
}

/** The record of a run of the agent `browser` that left these files, and a picture for each step and the end. */
async function recordOf(files: Readonly<Record<string, string>>): Promise<SpecRecord> {
  const folder = createFolder()
  const images = ['01-1-look.jpg', '02-2-pay.jpg', 'end.jpg']
  const verdict: VerdictRecord = {
    version: 1,
    spec: 'shop.test.md',
    scenario: 'Shop',
    attempt: 1,
    run: '7f',
    agent: 'browser',
    startedAt: '2026-02-10T14:30:00.000Z',
    outcome: 'fail',
    steps: [step(lookStep, '01-1-look.jpg'), step(payStep, '02-2-pay.jpg')],
    images: ['end.jpg'],
  }
  await folder.write({ [`${stem}.verdict.json`]: JSON.stringify(verdict), [`${stem}/end.jpg`]: '', ...files })
  for (const name of images)
    await writeFile(folder.at(`${stem}/${name}`), Buffer.from(`\u00ff\u00d8\u00ff${name}`, 'latin1'))
  const file = folder.at('shop.test.md')
  const { spec: parsed } = parseSpec(spec, { file, agentDefault: 'browser' })
  const ended: EndedSpec = {
    ...{ file, root: folder.path, text: spec, parsed, included: new Map() },
    baseUrl: 'http://ann:secret@shop.test/a',
    startedAt: verdict.startedAt,
    endedAt: verdict.startedAt,
    durationMs: 2,
    outcome: 'fail',
    problems: [],
    steps: verdict.steps.map(({ title, line }) => ({
      titles: ['Shop', title],
      line,
      outcome: 'fail',
      reasons: [],
      durationMs: 1,
      logFile: folder.at(`${stem}.log.md`),
    })),
  }
  return recordSpec(ended, openKeptFiles({ dir: folder.at('out'), ground: groundAt(folder.path) }))
}

const picturesIn = ({ steps, runs }: SpecRecord): readonly string[] =>
  [...steps, ...runs].flatMap(({ images }) => images.map(({ name }) => name))

describe('the record of a run in a browser', () => {
  test('has no pictures of a browser that shows no page yet', async () => {
    const nothing = await recordOf({
      [`${stem}.journal.jsonl`]: call({ title: 'browser_snapshot {}', excerpt: '- Page URL: about:blank' }),
    })
    expect(picturesIn(nothing)).toEqual([])
    const later = call({ step: '2-pay', title: 'browser_navigate {"url":"http://shop.test/"}' })
    expect(picturesIn(await recordOf({ [`${stem}.journal.jsonl`]: later }))).toEqual(['02-2-pay.jpg', 'end.jpg'])
    const clicked = call({ title: 'browser_click {}', excerpt: '### Page\n- Page URL: http://shop.test/\n' })
    expect(picturesIn(await recordOf({ [`${stem}.journal.jsonl`]: clicked }))).toHaveLength(3)
    const refused = call({ denied: true, title: 'browser_navigate {"url":"file:///etc/passwd"}' })
    expect(picturesIn(await recordOf({ [`${stem}.journal.jsonl`]: refused }))).toEqual([])
  })

  test('has what its page told in the step in which that was new, also where there is no picture', async () => {
    const network = '1. [GET] http://shop.test/a => [404] Not Found\n'
    const { steps, runs } = await recordOf({
      [`${stem}.journal.jsonl`]: '',
      [`${stem}/01-1-look.network.txt`]: network,
      [`${stem}/02-2-pay.network.txt`]: network,
      [`${stem}/02-2-pay.console.txt`]: 'Total messages: 1\n\n[ERROR] no @ http://shop.test/:1\n',
    })
    expect(steps.map(({ findings }) => [findings?.consoleErrors.count, findings?.failedRequests.statuses])).toEqual([
      [0, ['404']],
      [1, []],
    ])
    expect(steps.map(({ files }) => files.length)).toEqual([1, 2])
    expect(runs.flatMap(({ files }) => files.filter(({ title }) => title.endsWith('.txt')))).toEqual([])
  })

  test('has the last words of its model where there is no log, and no credentials', async () => {
    const raw = ['Let me see.', 'I cannot help with that.'].map(
      (text) => `out| ${JSON.stringify({ type: 'text', text })}\n`,
    )
    const record = await recordOf({ [`${stem}.raw.log`]: raw.join('') })
    expect(record.runs).toMatchObject([{ narrative: '', lastWords: 'I cannot help with that.', ordinal: 1 }])
    expect(record.baseUrl).toBe('http://shop.test/a')
    const log = '---\nstatus: fail\n---\n\nI wrote this.\n'
    const { runs } = await recordOf({ [`${stem}.raw.log`]: raw.join(''), [`${stem}.log.md`]: log })
    expect(runs[0]).not.toHaveProperty('lastWords')
  })
})

describe('the revision of a project', () => {
  const env = { PATH: process.env.PATH }

  test('is commit, branch, and whether files were changed since', async () => {
    const folder = createFolder()
    expect(await readRevision({ folder: folder.path, env })).toBeUndefined()
    folder.git('init', '-q', '-b', 'spring')
    expect(await readRevision({ folder: folder.path, env })).toBeUndefined()
    await folder.write({ a: '1', b: '1' })
    folder.git('add', 'a')
    folder.git('commit', '-q', '-m', 'a')
    const commit = expect.stringMatching(/^[\da-f]{40}$/)
    expect(await readRevision({ folder: folder.path, env })).toEqual({ commit, branch: 'spring' })
    await folder.write({ a: '2' })
    folder.git('checkout', '-q', '--detach')
    expect(await readRevision({ folder: folder.path, env: { ...env, GITHUB_HEAD_REF: 'coupon' } })).toEqual({
      commit,
      branch: 'coupon',
      isModified: true,
    })
    expect(await readRevision({ folder: folder.path, env: { PATH: '/nowhere' } })).toBeUndefined()
  })
})
