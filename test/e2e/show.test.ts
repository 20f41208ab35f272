import { mkdir, symlink } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { projectWithScriptedClaude } from '../support/scripted-claude.ts'

const spec = '# Shop\n\nBuy a mug.\n'
const passing = '---\nstatus: pass\n---\n'

test('mdtest show prints what a run left', async () => {
  const { project: opened, env } = await projectWithScriptedClaude()
  await using project = opened
  const run = await project.mdtest(['run'], { env })
  expect(run.exitCode).toBe(0)
  const { exitCode, stdout, stderr } = await project.mdtest(['show', 'shop.test.md'], { env: { NO_COLOR: '' } })
  const times = stdout
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\dZ/g, '<start>')
    .replaceAll(/\d\d:\d\d:\d\d/g, '<time>')
    .replaceAll(/in \d+\.\d s/g, 'in <seconds>')
  expect(times).toMatchInlineSnapshot(`
    "shop.test.md > Shop <start>
      outcome pass
      usage unknown (model-1)

      1-add-a-mug pass evidenced in <seconds>, agent, reported pass
        observed: the cart holds a mug
        cites: “added mug”
        <time> command npm run shop -- add mug
          | added mug
          | \\x1b[2J

      What the agent wrote
        Done.

      Files
        result log  shop.logs/<start>.log.md
        verdict     shop.logs/<start>.verdict.json
        journal     shop.logs/<start>.journal.jsonl
        output      shop.logs/<start>.raw.log"
  `)
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)

  const json = await project.mdtest(['show', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject([
    {
      spec: project.path('shop.test.md'),
      verdict: { spec: 'shop.test.md', scenario: 'Shop', attempt: 1, agent: 'claude', outcome: 'pass' },
      log: { status: 'pass' },
      steps: [
        {
          id: '1-add-a-mug',
          verdict: { title: 'Add a mug', line: 3, outcome: 'pass', assurance: 'evidenced', reasons: [] },
          result: { status: 'pass', observed: 'the cart holds a mug', evidence: [{ quote: 'added mug' }] },
          calls: [{ kind: 'command', title: 'npm run shop -- add mug', excerpt: 'added mug\n\u001b[2J' }],
        },
      ],
      journalNotes: [],
      body: '\nDone.\n',
    },
  ])
  expect([json.exitCode, json.stdout]).toEqual([0, expect.not.stringContaining('\u001b')])
})

describe('mdtest show without a run', () => {
  test('takes the newest log of each spec that has one', async () => {
    await using project = await createProject({
      'a.test.md': spec,
      'a.logs/2026-02-10T14-30-00Z.log.md': '---\nstatus: fail\n---\nold\n',
      'a.logs/2026-02-10T14-30-01Z.log.md': passing,
      'b.test.md': spec,
      'sub/c.test.md': spec,
      'sub/c.logs/2026-02-10T14-30-00Z.log.md': 'no front matter',
      'out/b.logs/2026-02-10T14-30-00Z.log.md': passing,
    })
    const all = await project.mdtest(['show'])
    expect(all.stdout).toContain(
      'a.test.md 2026-02-10T14:30:01Z\n  There is no verdict: the run did not come to its end.\n  The log says pass.',
    )
    expect(all.stdout).toContain(
      'sub/c.test.md 2026-02-10T14:30:00Z\n  There is no verdict: the run did not come to its end.\n  LOG_NO_FRONT_MATTER',
    )
    expect(all.stdout).not.toContain('old')
    expect(all.exitCode).toBe(0)
    const elsewhere = await project.mdtest(['show', '--logs-dir', 'out'])
    expect(elsewhere.stdout).toMatch(/^b\.test\.md 2026-02-10T14:30:00Z\n/)
    const below = await project.mdtest(['show', '--dir', 'sub', '--json'])
    expect(JSON.parse(below.stdout)).toMatchObject([
      { verdict: { problem: expect.any(String) }, log: { code: 'LOG_NO_FRONT_MATTER' }, steps: [] },
    ])
  })

  test('says what is wrong with log and journal', async () => {
    await using project = await createProject({
      'a.test.md': spec,
      'a.logs/2026-02-10T14-30-00Z.journal.jsonl': '',
      'b.test.md': spec,
      'b.logs/2026-02-10T14-30-00Z.log.md': passing,
      'b.logs/2026-02-10T14-30-00Z.journal.jsonl': '{"id":"1","at"\n\u0000\u0001\n[]\n',
      'c.test.md': spec,
      'c.logs/2026-02-10T14-30-00Z.raw.log': '',
      'd.test.md': spec,
      'd.logs/2026-02-10T14-30-00Z.raw.log': '',
    })
    await mkdir(project.path('c.logs/2026-02-10T14-30-00Z.journal.jsonl'))
    await symlink('/dev/zero', project.path('d.logs/2026-02-10T14-30-00Z.journal.jsonl'))
    const shown = await project.mdtest(['show'])
    const expected = [
      'LOG_MISSING',
      'The journal is empty: no tool call of the agent was seen.',
      '3 lines of the journal cannot be read.',
      'The journal is a directory, not a regular file.',
      'The journal is a symbolic link, not a regular file.',
    ]
    for (const sentence of expected) expect(shown.stdout).toContain(sentence)
    expect(shown.stderr).toBe('')
    expect(shown.exitCode).toBe(0)
  })

  const setUpErrors: readonly (readonly [title: string, args: readonly string[], message: RegExp])[] = [
    ['a spec that is not there', ['nope.test.md'], /nope\.test\.md/],
    ['a spec without a log', ['b.test.md', 'a.test.md'], /no log in .*b\.logs.*--logs-dir/],
    ['a directory without logs', ['-d', 'sub'], /no logs under .*sub/],
    ['markdown that was never run', ['notes.md'], /no log in .*notes\.logs/],
    ['a line', ['a.test.md:3'], /without a line/],
  ]

  test('says in one sentence what it cannot show, with exit code 2', async () => {
    await using project = await createProject({
      'a.test.md': spec,
      'a.logs/2026-02-10T14-30-00Z.log.md': passing,
      'b.test.md': spec,
      'sub/c.test.md': spec,
      'notes.md': '',
    })
    const ends = await Promise.all(setUpErrors.map(([, args]) => project.mdtest(['show', ...args])))
    for (const [index, { exitCode, stderr, stdout }] of ends.entries()) {
      expect([exitCode, stdout, stderr.trimEnd().split('\n')]).toEqual([
        2,
        '',
        [expect.stringMatching(setUpErrors[index]?.[2] ?? '')],
      ])
    }
  })
})
