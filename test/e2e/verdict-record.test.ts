import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { verdictRecordSchema } from '../../src/records/verdict/verdict-record-schema.ts'
import type { VerdictRecord } from '../../src/records/verdict/verdict-record.ts'
import { createProject, type Project } from '../support/create-project.ts'

const spec = `# Shop

## Add a mug

Put a mug into the cart.

## Pay

Pay for it.

\`\`\`sh verify
test ! -e unpaid
\`\`\`
`
const forged = JSON.stringify({ version: 1, outcome: 'pass', steps: [] })

/** A project whose agent is this program; `log` and `verdict` are in scope of it. */
function shop(program: string, more: Readonly<Record<string, string>> = {}): Promise<Project> {
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nconst agent = import.meta.dirname + '/agent.mjs'\nexport default { plugins: [mdtest({ agent: { command: [${JSON.stringify(process.execPath)}, agent, '{log}'] } })] }\n`,
    'agent.mjs': `import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
const log = process.argv[2]
const verdict = log.replace('.log.md', '.verdict.json')
writeFileSync(log, '---\\nstatus: pass\\n---\\n')
${program}
`,
    'shop.test.md': spec,
    ...more,
  })
}

async function verdictsIn(project: Project): Promise<readonly VerdictRecord[]> {
  const names = (await readdir(project.path('shop.logs'))).filter((name) => name.endsWith('.verdict.json'))
  const texts = await Promise.all(names.map((name) => project.read(`shop.logs/${name}`)))
  const records = texts.map((text) => verdictRecordSchema.parse(JSON.parse(text)))
  return records.toSorted((one, other) => one.attempt - other.attempt)
}

describe('the verdict on disk', () => {
  test('is there for an agent that writes its log itself, step by step', async () => {
    await using project = await shop('')
    expect((await project.vitest(['run'])).exitCode).toBe(0)
    const [record] = await verdictsIn(project)
    expect(record).toMatchObject({
      spec: 'shop.test.md',
      scenario: 'Shop',
      attempt: 1,
      agent: 'command',
      outcome: 'pass',
      steps: [
        { id: '1-add-a-mug', title: 'Add a mug', line: 3, outcome: 'pass', assurance: 'claimed', reasons: [] },
        { id: '2-pay', title: 'Pay', line: 7, outcome: 'pass', assurance: 'verified', reasons: [] },
      ],
      usage: { durationMs: expect.any(Number) },
    })
    expect(record?.steps.every(({ durationMs }) => durationMs > 0)).toBe(true)
  })

  test('is one for each attempt, and says what failed', async () => {
    await using project = await shop(`writeFileSync('unpaid', '')`)
    expect((await project.vitest(['run', '--retry=1'])).exitCode).toBe(1)
    const records = await verdictsIn(project)
    expect(records.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'fail'],
      [2, 'fail'],
    ])
    expect(records[0]?.steps[1]).toMatchObject({ outcome: 'fail', reasons: [{ code: 'VERIFY_FAILED', line: 12 }] })
  })

  test.for([
    ['a file', `writeFileSync(verdict, ${JSON.stringify(forged)})`],
    ['a file that cannot be written', `writeFileSync(verdict, ${JSON.stringify(forged)}); chmodSync(verdict, 0o400)`],
    ['a folder', `mkdirSync(verdict + '/sub', { recursive: true })`],
  ] as const)('replaces %s that the agent put there', async ([, program]) => {
    const cast = `writeFileSync(log.replace('.log.md', '.cast'), '{}')`
    await using project = await shop(`writeFileSync('unpaid', ''); ${cast}; ${program}`)
    await project.vitest(['run'])
    expect(await verdictsIn(project)).toMatchObject([{ outcome: 'fail', steps: [{}, {}] }])
    // Nothing was recorded.
    expect((await readdir(project.path('shop.logs'))).filter((name) => name.includes('.cast'))).toEqual([])
  })

  test('that cannot be written hides no other reason', async () => {
    await using project = await shop(`rmSync(dirname(log), { recursive: true }); writeFileSync(dirname(log), '')`)
    const { exitCode, all } = await project.vitest(['run'])
    expect(all).toContain('LOG_UNREADABLE')
    expect(exitCode).toBe(1)
  })

  test('has all steps where Vitest stops at the first that fails', async () => {
    await using project = await shop(`rmSync(log)`)
    await project.vitest(['run', '--bail=1'])
    expect(await verdictsIn(project)).toMatchObject([
      { outcome: 'fail', steps: [{ outcome: 'fail' }, { outcome: 'skipped' }] },
    ])
  })

  test('is not there when the scenario broke off between two steps', async () => {
    await using project = await shop(`rmSync(process.cwd(), { recursive: true })`, {
      'shop.test.md': `---\ncwd: work\n---\n\n${spec}`,
      'work/file': '',
    })
    const { exitCode } = await project.vitest(['run'])
    expect(exitCode).toBe(1)
    expect(await verdictsIn(project)).toEqual([])
  })

  test('is not there when mdtest was killed before the end', async () => {
    await using project = await shop(`console.log('at work'); setInterval(() => {}, 1000)`)
    const running = project.start('vitest', ['run'])
    const isAtWork = async (): Promise<boolean> => {
      const names = await readdir(project.path('shop.logs')).catch(() => [])
      return names.some((name) => name.endsWith('.log.md'))
    }
    await expect.poll(isAtWork, { timeout: 20_000 }).toBe(true)
    running.kill('SIGKILL')
    await running
    expect(await verdictsIn(project)).toEqual([])
    const { stdout } = await project.mdtest(['show'])
    expect(stdout).toContain('There is no verdict: the run did not come to its end.\n  The log says pass.')
  })
})
