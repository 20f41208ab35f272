import { beforeAll, describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf, type ReportedTest } from '../support/json-report.ts'
import { processesWith } from '../support/processes.ts'

const spec = `# Shop

## Add a mug

Put a mug into the cart.

## Pay

Pay for it.
`

/** A project whose agent is this program; `log` and `prompt` are in scope of it. */
async function projectWithAgent(program: string, files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const options = `agent: { command: [${JSON.stringify(process.execPath)}, 'agent.mjs', '{log}', '{prompt}', '{spec}'] }, hardTimeoutMs: 4000, silenceTimeoutMs: 1500`
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ ${options} })] }\n`,
    'agent.mjs': `import { mkdirSync, symlinkSync, writeFileSync, appendFileSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
const [log, prompt, spec] = process.argv.slice(2)
const run = /[0-9a-f]{32}/.exec(prompt)?.[0]
const write = (frontMatter) => writeFileSync(log, '---\\n' + frontMatter + '\\n---\\n')
${program}
`,
    'shop.test.md': spec,
    ...files,
  })
}

const forever = 'setInterval(() => {}, 1000)'

const cases: readonly (readonly [title: string, program: string, first: string, second: string])[] = [
  ['a log with a status alone', `write('status: pass')`, 'pass claimed', 'pass claimed'],
  ['any exit code beside a valid log', `write('status: pass'); process.exitCode = 3`, 'pass claimed', 'pass claimed'],
  ['a status of fail alone', `write('status: fail')`, 'pass claimed', 'fail STEP_FAILED'],
  ['no log', `process.exitCode = 1`, 'fail LOG_MISSING', 'skipped PREDECESSOR_FAILED'],
  ['an empty log', `writeFileSync(log, '')`, 'fail LOG_NO_FRONT_MATTER', 'skipped PREDECESSOR_FAILED'],
  ['a status in other words', `write('status: passed')`, 'fail LOG_INVALID_STATUS', 'skipped PREDECESSOR_FAILED'],
  ['broken YAML', `write('status: [pass')`, 'fail LOG_INVALID_YAML', 'skipped PREDECESSOR_FAILED'],
  [
    'a log of 11 MB',
    `write('status: pass'); appendFileSync(log, 'x'.repeat(11e6))`,
    'fail LOG_TOO_LARGE',
    'skipped PREDECESSOR_FAILED',
  ],
  ['a log that is a directory', `mkdirSync(log)`, 'fail LOG_UNREADABLE', 'skipped PREDECESSOR_FAILED'],
  ['a log that is a FIFO', `execFileSync('mkfifo', [log])`, 'fail LOG_UNREADABLE', 'skipped PREDECESSOR_FAILED'],
  ['a log that links to itself', `symlinkSync(log, log)`, 'fail LOG_UNREADABLE', 'skipped PREDECESSOR_FAILED'],
  [
    'a log that a child writes after the agent ended',
    `spawn(process.execPath, ['-e', "setTimeout(() => require('fs').writeFileSync(process.argv[1], '---\\\\nstatus: pass\\\\n---\\\\n'), 1000)", log], { detached: true, stdio: 'ignore' }).unref()`,
    'fail LOG_MISSING',
    'skipped PREDECESSOR_FAILED',
  ],
  ['the log of another run', `write('status: pass\\nrun: "0123"')`, 'fail LOG_WRONG_RUN', 'skipped PREDECESSOR_FAILED'],
  [
    'a list without the second step',
    `write('status: pass\\nsteps:\\n  - { id: 1-add-a-mug, status: pass }')`,
    'pass claimed',
    'fail STEP_UNREPORTED',
  ],
  [
    'a failing step in a passing log',
    `write('status: pass\\nrun: ' + run + '\\nsteps:\\n  - { id: 1-add-a-mug, status: pass }\\n  - { id: 2-pay, status: fail, observed: card declined }')`,
    'pass claimed',
    'fail STEP_FAILED',
  ],
  [
    'a step that could not be tried',
    `write('status: fail\\nsteps:\\n  - { id: 1-add-a-mug, status: pass }\\n  - { id: 2-pay, status: blocked, observed: no card }')`,
    'pass claimed',
    'blocked AGENT_BLOCKED',
  ],
  [
    'an agent that never ends but talks',
    `setInterval(() => console.log('.'), 200)`,
    'blocked AGENT_TIMEOUT',
    'skipped PREDECESSOR_FAILED',
  ],
  ['an agent that falls silent', forever, 'blocked AGENT_SILENT', 'skipped PREDECESSOR_FAILED'],
  [
    'a silent agent after a passing log',
    `write('status: pass'); ${forever}`,
    'blocked AGENT_SILENT',
    'skipped PREDECESSOR_FAILED',
  ],
  [
    'an agent that is killed',
    `process.kill(process.pid, 'SIGKILL')`,
    'blocked AGENT_CRASHED',
    'skipped PREDECESSOR_FAILED',
  ],
]

/** Runs all cases at once, each as a spec of its own; the agent knows by its log which one it is. */
async function runCases(): Promise<Readonly<Record<string, readonly ReportedTest[]>>> {
  const programs = cases.map(([, program]) => `() => { ${program} }`)
  const specs = cases.map((_, index) => [`case-${index}.test.md`, spec] as const)
  const program = `const programs = [${programs.join(',\n')}]
programs[/case-(\\d+)/.exec(log)[1]]()`
  await using project = await projectWithAgent(program, Object.fromEntries(specs))
  const { stdout } = await project.vitest(['run', '--reporter=json', 'case-'])
  expect(processesWith(project.dir)).toEqual([])
  return readJsonReport(stdout)
}

describe('the verdict on what an agent leaves behind', () => {
  let testsOf: Awaited<ReturnType<typeof runCases>>
  beforeAll(async () => {
    testsOf = await runCases()
  })

  test.for(cases.map(([title, , ...verdicts], index) => [title, index, verdicts] as const))(
    '%s',
    ([, index, verdicts]) => {
      const tests = testsOf[`case-${index}.test.md`] ?? []
      expect(tests.map(({ outcome, assurance, codes }) => [outcome, assurance ?? codes[0]].join(' '))).toEqual(verdicts)
      const isPass = verdicts.every((each) => each.startsWith('pass'))
      expect(tests.some(({ status }) => status === 'failed')).toBe(!isPass)
    },
  )

  test('a spec that the agent edits fails', async () => {
    await using project = await projectWithAgent(`appendFileSync(spec, 'done'); write('status: pass')`)
    const { exitCode, stdout } = await project.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'shop.test.md')).toEqual(['fail SPEC_MODIFIED', 'skipped PREDECESSOR_FAILED'])
    expect(exitCode).toBe(1)
  })

  test('a claimed pass is annotated and names its log', async () => {
    await using project = await projectWithAgent(`write('status: pass')`)
    const { all } = await project.vitest(['run', '--reporter=verbose'])
    expect(all).toContain('claimed')
    expect(all).toMatch(/shop\.logs\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.log\.md/)
    expect(await project.read('shop.logs/.gitignore')).toBe('*\n')
  })

  test('a program that is not there is an error before the product was tried', async () => {
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'codex' })] }\n`,
      'shop.test.md': spec,
    })
    const { exitCode, all } = await project.vitest(['run'], { env: { PATH: '/usr/bin:/bin' } })
    expect(exitCode).toBe(1)
    expect(all).toContain('AGENT_NOT_FOUND')
  })

  test('an agent that kills what started it passes nothing, and the next one is started all the same', async () => {
    await using project = await projectWithAgent(
      `write('status: pass'); if (spec.includes('a-first')) process.kill(process.ppid, 'SIGKILL')`,
      { 'a-first.test.md': spec },
    )
    const { stdout, all } = await project.vitest(['run', '--reporter=json', '--no-file-parallelism'])
    expect(verdictsOf(stdout, 'a-first.test.md'), all).toEqual(['blocked AGENT_CRASHED', 'skipped PREDECESSOR_FAILED'])
    expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass claimed', 'pass claimed'])
  })

  test('blocks between two steps of prose are refused while no reports come in', async () => {
    const between = spec.replace('## Pay', '```sh verify\ntrue\n```\n\n## Pay')
    await using project = await projectWithAgent(`write('status: pass')`, { 'shop.test.md': between })
    const { exitCode, all } = await project.vitest(['run'])
    expect(exitCode).toBe(1)
    expect(all).toContain('needs-reports')
    expect(all).toContain('shop.test.md:7:')
  })

  test('a verify block after the last prose decides, whatever the agent says', async () => {
    const verified = `${spec}\n\`\`\`sh verify\ntest -e paid\n\`\`\`\n`
    await using honest = await projectWithAgent(`writeFileSync('paid', ''); write('status: pass')`, {
      'shop.test.md': verified,
    })
    const right = await honest.vitest(['run', '--reporter=json'])
    expect(readJsonReport(right.stdout)['shop.test.md']?.map(({ assurance }) => assurance)).toEqual([
      'claimed',
      'verified',
    ])
    await using liar = await projectWithAgent(`write('status: pass')`, { 'shop.test.md': verified })
    const wrong = await liar.vitest(['run', '--reporter=json'])
    expect(readJsonReport(wrong.stdout)['shop.test.md']?.map(({ codes }) => codes)).toEqual([[], ['VERIFY_FAILED']])
  })

  test('a retry restarts the whole scenario with a new agent', async () => {
    await using project = await projectWithAgent(
      `appendFileSync('starts', 'x'); const { readFileSync } = await import('node:fs'); write(readFileSync('starts', 'utf8').length < 2 ? 'status: fail' : 'status: pass')`,
    )
    const { exitCode } = await project.vitest(['run', '--retry=1'])
    expect(exitCode).toBe(0)
    expect(await project.read('starts')).toBe('xx')
  })
})

test('a `verify` block whose snapshot is new does not verify what the agent says', async () => {
  const text = `---\nmin-assurance: verified\n---\n\n# Shop\n\n## Pay\n\nPay for it.\n\n\`\`\`ts verify\nexpect('paid').toMatchSnapshot()\n\`\`\`\n`
  await using project = await projectWithAgent(`write('status: pass')`, { 'shop.test.md': text })
  const first = await project.vitest(['run', '--reporter=json'])
  expect(verdictsOf(first.stdout, 'shop.test.md')).toEqual(['fail ASSURANCE_TOO_LOW'])
  expect(first.stdout).toContain('All that its blocks are compared with was written by this run')
  const second = await project.vitest(['run', '--reporter=json'])
  expect(verdictsOf(second.stdout, 'shop.test.md')).toEqual(['pass verified'])
})
