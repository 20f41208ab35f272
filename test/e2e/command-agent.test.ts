import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { processesWith } from '../support/processes.ts'

const spec = '# Shop\n\n## Add a mug\n\nPut a mug into the cart.\n\n## Pay\n\nPay for it.\n'
const verified = (name: string): string => `${spec}\n\`\`\`sh verify\ntest -e ${name}\n\`\`\`\n`
const steps = (...lines: readonly string[]): string => `steps:\\n${lines.map((line) => `  - { ${line} }`).join('\\n')}`

interface Case {
  readonly title: string
  /** `log`, `prompt`, `spec` and `write` are in scope of it. */
  readonly agent: string
  readonly verdicts: readonly string[]
  /** Front matter, or the whole spec. */
  readonly front?: string
  readonly spec?: string
}

const skipped = 'skipped PREDECESSOR_FAILED'
const forever = 'setInterval(() => {}, 1000)'
const row = (title: string, agent: string, ...verdicts: readonly string[]): Case => ({ title, agent, verdicts })
const lost = (title: string, agent: string, verdict: string): Case => row(title, agent, verdict, skipped)

const cases: readonly Case[] = [
  row('a log with a status alone', `write('status: pass')`, 'pass claimed', 'pass claimed'),
  row('any exit code', `write('status: pass'); process.exitCode = 3`, 'pass claimed', 'pass claimed'),
  row('a status of fail alone', `write('status: fail')`, 'pass claimed', 'fail STEP_FAILED'),
  lost('no log', `process.exitCode = 1`, 'fail LOG_MISSING'),
  lost('an empty log', `writeFileSync(log, '')`, 'fail LOG_NO_FRONT_MATTER'),
  lost('a status in other words', `write('status: passed')`, 'fail LOG_INVALID_STATUS'),
  lost('broken YAML', `write('status: [pass')`, 'fail LOG_INVALID_YAML'),
  lost('a log of 11 MB', `write('status: pass'); appendFileSync(log, 'x'.repeat(11e6))`, 'fail LOG_TOO_LARGE'),
  lost('a log that is a directory', `mkdirSync(log)`, 'fail LOG_UNREADABLE'),
  lost('a log that is a FIFO', `execFileSync('mkfifo', [log])`, 'fail LOG_UNREADABLE'),
  lost('a log that links to itself', `symlinkSync(log, log)`, 'fail LOG_UNREADABLE'),
  lost('the log of another run', `write('status: pass\\nrun: "0123"')`, 'fail LOG_WRONG_RUN'),
  row(
    'a list without the second step',
    `write('status: pass\\n${steps('id: 1-add-a-mug, status: pass')}')`,
    ...['pass claimed', 'fail STEP_UNREPORTED'],
  ),
  row(
    'a failing step in a passing log',
    `write('status: pass\\nrun: ' + run + '\\n${steps('id: 1-add-a-mug, status: pass', 'id: 2-pay, status: fail, observed: declined')}')`,
    ...['pass claimed', 'fail STEP_FAILED'],
  ),
  row(
    'a step that could not be tried',
    `write('status: fail\\n${steps('id: 1-add-a-mug, status: pass', 'id: 2-pay, status: blocked, observed: no card')}')`,
    ...['pass claimed', 'blocked AGENT_BLOCKED'],
  ),
  {
    ...lost('an agent that never ends but talks', `setInterval(() => console.log('.'), 200)`, 'blocked AGENT_TIMEOUT'),
    front: 'timeout: 3s',
  },
  {
    ...lost('a silent agent after a passing log', `write('status: pass'); ${forever}`, 'blocked AGENT_SILENT'),
    front: 'silence-timeout: 3s',
  },
  lost('an agent that is killed', `process.kill(process.pid, 'SIGKILL')`, 'blocked AGENT_CRASHED'),
  lost('an agent that edits the spec', `appendFileSync(spec, 'done'); write('status: pass')`, 'fail SPEC_MODIFIED'),
  { ...lost('a program that is not there', '', 'blocked AGENT_NOT_FOUND'), front: 'agent: codex' },
  {
    ...row('a block that saw it', `writeFileSync('paid', ''); write('status: pass')`, 'pass claimed', 'pass verified'),
    spec: verified('paid'),
  },
  {
    ...row('a block that saw nothing', `write('status: pass')`, 'pass claimed', 'fail VERIFY_FAILED'),
    spec: verified('nothing'),
  },
  {
    ...row(
      'a retry, which is another agent for all of it',
      `appendFileSync('starts', 'x'); write(readFileSync('starts', 'utf8').length < 2 ? 'status: fail' : 'status: pass')`,
      ...['pass claimed', 'pass claimed'],
    ),
    spec: spec.replace('Pay for it.', '<!-- mdtest: retry=1 -->\n\nPay for it.'),
  },
]

const between = 'between.test.md'
const program = `import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
const [log, prompt, spec] = process.argv.slice(2)
const run = /[0-9a-f]{32}/.exec(prompt)?.[0]
const write = (frontMatter) => writeFileSync(log, '---\\n' + frontMatter + '\\n---\\n')
const programs = [${cases.map(({ agent }) => `() => { ${agent} }`).join(',\n')}]
programs[/case-(\\d+)/.exec(log)[1]]()
`

// Each case is a spec of one project; the agent knows by its log which one it is.
describe('the verdict on what an agent leaves behind', () => {
  let stdout = ''
  let printed = ''
  let logs: readonly string[] = []
  beforeAll(async () => {
    const command = [process.execPath, 'agent.mjs', '{log}', '{prompt}', '{spec}']
    const specs = cases.map(({ front, spec: text = spec }, index) => [
      `case-${index}.test.md`,
      `${front === undefined ? '' : `---\n${front}\n---\n\n`}${text}`,
    ])
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ${JSON.stringify(command)} } })] }\n`,
      'agent.mjs': program,
      ...Object.fromEntries(specs),
      [between]: spec.replace('## Pay', '```sh verify\ntrue\n```\n\n## Pay'),
    })
    const reporters = ['--reporter=json', '--reporter=verbose']
    const env = { PATH: '/usr/bin:/bin' }
    ;({ stdout, all: printed } = await project.vitest(['run', ...reporters], { env, timeoutMs: 280_000 }))
    expect(processesWith(project.dir)).toEqual([])
    logs = readdirSync(project.path('case-0.logs'))
    expect(await project.read('case-0.logs/.gitignore')).toBe('*\n')
  })

  test.for(cases.map((each, index) => ({ ...each, index })))('$title', ({ index, verdicts }) => {
    const file = `case-${index}.test.md`
    const found = verdictsOf(stdout, file)
    expect(found.map((verdict) => verdict.split(' ').slice(0, 2).join(' '))).toEqual(verdicts)
    const isFailed = readJsonReport(stdout)[file]?.some(({ status }) => status === 'failed')
    expect(isFailed).toBe(!verdicts.every((verdict) => verdict.startsWith('pass')))
  })

  test('a claimed pass is annotated and names its log', () => {
    expect(printed).toContain('claimed')
    const [, log = 'none'] = /case-0\.logs\/(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.log\.md)/.exec(printed) ?? []
    expect(logs).toContain(log)
  })

  test('blocks between two steps of prose are refused while no reports come in', () => {
    expect(printed).toContain('needs-reports')
    expect(printed).toContain(`${between}:7:`)
  })
})

test('a command line names it, whatever the option says', async () => {
  await using project = await createProject({
    'agent.mjs': `import { writeFileSync } from 'node:fs'
const [log, run] = process.argv.slice(2)
writeFileSync(log, '---\\nstatus: pass\\n---\\n')
`,
    'shop.test.md': '# Shop\n\nPut a mug into the cart.\n',
  })
  const { exitCode, all } = await project.mdtest(['run', '-a', 'node agent.mjs {log} {prompt}'])
  expect(exitCode, all).toBe(0)
  expect(all).toContain('1 passed')
})
