import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseJournal } from '../../src/records/journal/journal.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { reportSpec, reportSpecWith } from '../support/scripts/report-spec.ts'
import { bySpec } from '../support/scripts/wayward.ts'
import { brokenProgram, rightProgram, spec } from './notes-project.ts'
import { acpAgents, claude, createRealProject, skipReason } from './real-project.ts'

/** One step, of which its only command is `command`. */
const stepOf = (command: string, printed: string): string =>
  `# Step\n\n## Do it\n\nRun \`${command}\`. It prints "${printed}".\n`

describe.skipIf(skipReason !== '').each([claude, ...acpAgents])(`$title${skipReason}`, (dialect) => {
  const { title: _title, ...agents } = dialect
  const options = { agent: dialect.agent, allow: ['Bash(node *)'] }

  test('is judged by what it reports and does', { timeout: 300_000 }, async () => {
    await using real = await createRealProject({
      ...agents,
      options,
      script: bySpec({
        'right.test.md': reportSpec,
        'broken.test.md': reportSpec,
        'denied.test.md': reportSpec,
        'lies.test.md': reportSpecWith((report) => [{ ...report, status: 'pass' }]),
        'idle.test.md': reportSpecWith((report) => [{ ...report, evidence: [{ quote: 'never printed' }] }]),
      }),
      files: {
        'notes.mjs': rightProgram,
        // They share a folder.
        'broken.mjs': brokenProgram.replaceAll('notes.json', 'others.json'),
        'right.test.md': spec,
        'broken.test.md': spec.replaceAll('notes.mjs', 'broken.mjs'),
        'denied.test.md': stepOf('npm --version', '1'),
        'lies.test.md': `${stepOf('node notes.mjs list', 'bread')}\n\`\`\`sh verify\nfalse\n\`\`\`\n`,
        'idle.test.md': stepOf('node notes.mjs add milk', 'added milk'),
      },
    })
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env, timeoutMs: 280_000 })
    const report = readJsonReport(stdout)
    expect({
      right: verdictsOf(stdout, 'right.test.md'),
      broken: verdictsOf(stdout, 'broken.test.md'),
      denied: verdictsOf(stdout, 'denied.test.md'),
      lies: verdictsOf(stdout, 'lies.test.md'),
      idle: verdictsOf(stdout, 'idle.test.md'),
    }).toEqual({
      right: ['pass evidenced', 'pass observed'],
      broken: ['pass evidenced', 'fail STEP_FAILED CHECK_FAILED'],
      denied: ['blocked AGENT_DENIED AGENT_BLOCKED'],
      lies: ['fail VERIFY_FAILED'],
      idle: ['fail EVIDENCE_UNKNOWN'],
    })
    expect(report['denied.test.md']?.[0]?.messages?.[0]).toContain('Bash(npm *)')
    const [right] = report['right.test.md'] ?? []
    const journal = readFileSync(
      join(real.project.dir, String(right?.log).replace(/\.log\.md$/, '.journal.jsonl')),
      'utf8',
    )
    const ran = parseJournal(journal).entries.find(({ title }) => title === 'node notes.mjs add milk')
    expect(ran).toMatchObject({ kind: 'command', activity: true, excerpt: expect.stringContaining('added milk') })
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})

test.skipIf(skipReason !== '').each(acpAgents)(`$title acts by mdtest's tools alone${skipReason}`, async (dialect) => {
  const { title: _title, ...agents } = dialect
  await using real = await createRealProject({
    ...agents,
    options: { agent: dialect.agent, allow: ['Bash(node *)'], hands: 'mdtest' },
    script: reportSpec,
    files: { 'notes.mjs': rightProgram, 'right.test.md': spec },
  })
  const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
  const messages = readJsonReport(stdout)['right.test.md']?.flatMap(({ messages: all = [] }) => all)
  expect([messages, verdictsOf(stdout, 'right.test.md')]).toEqual([[], ['pass witnessed', 'pass observed']])
  expect(await real.leftovers()).toEqual([])
})

test.skipIf(skipReason !== '').each(acpAgents)(
  `a run that is ended leaves nothing of $title${skipReason}`,
  async (dialect) => {
    const { title: _title, ...agents } = dialect
    await using real = await createRealProject({
      ...agents,
      options: { agent: dialect.agent, hardTimeoutMs: 20_000, allow: ['Bash(node *)'] },
      // One that a command keeps waiting, and one whose model never answers.
      script: bySpec({
        'sleeps.test.md': reportSpec,
        'silent.test.md': () => ({ kind: 'silence' }),
      }),
      files: {
        // Qwen Code lets nobody `sleep`.
        'wait.mjs': 'setTimeout(() => {}, 61_000)\n',
        'sleeps.test.md': stepOf('node wait.mjs', 'nothing'),
        'silent.test.md': stepOf('node notes.mjs list', 'milk'),
      },
    })
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'sleeps.test.md')).toEqual(['blocked AGENT_TIMEOUT'])
    expect(verdictsOf(stdout, 'silent.test.md')).toEqual(['blocked AGENT_TIMEOUT'])
    expect(await real.leftovers()).toEqual([])
  },
)
