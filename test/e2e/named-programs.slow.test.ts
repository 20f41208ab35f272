import { chmod } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { leftAfter } from '../support/leftovers.ts'

const verified = (text: string, file: string): string => `${text}\n\n\`\`\`sh verify\ntest -e ${file}\n\`\`\`\n`
const spec = `# Shop\n\n## Add a mug\n\n${verified('Put a mug into the cart.', 'mug')}\n## Pay\n\n${verified('Pay for it.', 'paid')}`
const reset = spec.replace('Pay for it.', '```sh run\nrm -f paid\n```\n\nPay for it.')
const bare = spec.replaceAll(/```[\s\S]*?```/g, '')

interface Case {
  readonly agent: 'claude' | 'codex'
  /** In scope of it: the log, `touch`, `call` and `report` of tools, `end` of a process. */
  readonly program: string
  readonly verdicts: readonly string[]
  readonly text?: string
}

const skipped = 'skipped PREDECESSOR_FAILED'
const passes = ['pass verified', 'pass verified']
const writes = (status: string, exitCode = 0): string =>
  `touch('mug'); touch('paid'); write('${status}'); process.exit(${exitCode})`
const both = `touch('mug'); await report('1-add-a-mug', 'pass'); touch('paid'); await report('2-pay', 'pass')`
const failing = ['pass verified', 'fail STEP_FAILED']

const silent = (['claude', 'codex'] as const).map((agent): Readonly<Record<string, Case>> => ({
  [`${agent}-ends-well`]: { agent, program: writes('pass'), verdicts: passes },
  [`${agent}-ends-badly`]: { agent, program: writes('pass', 137), verdicts: passes },
  [`${agent}-says-fail`]: { agent, program: writes('fail'), verdicts: failing },
  [`${agent}-says-nothing`]: { agent, program: '', verdicts: ['fail LOG_MISSING', skipped] },
  [`${agent}-before-blocks`]: {
    agent,
    program: writes('pass'),
    verdicts: ['pass verified', 'fail RUN_FAILED'],
    text: reset,
  },
}))
const unreachable = {
  claude: `console.log(JSON.stringify({ type: 'system', subtype: 'init', mcp_servers: [{ name: 'mdtest', status: 'failed' }] }))`,
  codex: `console.error('Error: required MCP servers failed to initialize: mdtest: no way'); process.exit(1)`,
}
const blocked = ['blocked MCP_UNAVAILABLE', skipped]

const cases: Readonly<Record<string, Case>> = {
  ...Object.assign({}, ...silent),
  'claude-without-server': { agent: 'claude', program: unreachable.claude, verdicts: blocked },
  'codex-without-server': { agent: 'codex', program: unreachable.codex, verdicts: blocked },
  reports: { agent: 'claude', program: both, verdicts: passes },
  'reports-unseen': { agent: 'claude', program: both, verdicts: ['pass claimed', 'pass claimed'], text: bare },
  'reports-in-vain': {
    agent: 'claude',
    program: `touch('answer', await report('1-add-a-mug', 'pass')); touch('late', await report('2-pay', 'pass'))`,
    verdicts: ['fail VERIFY_FAILED', skipped],
  },
  'reports-and-dies': {
    agent: 'claude',
    program: `touch('mug'); await report('1-add-a-mug', 'pass'); process.exit(1)`,
    verdicts: ['pass verified', 'fail STEP_UNREPORTED'],
  },
  'reports-and-writes': {
    agent: 'claude',
    program: `${both}; write('fail')`,
    verdicts: passes,
  },
  'shows-its-token': {
    agent: 'claude',
    program: `touch('mode', (statSync(file).mode & 0o777).toString(8)); await report('1-add-a-mug', 'fail')`,
    verdicts: ['fail STEP_FAILED', skipped],
  },
  'tries-again': {
    agent: 'claude',
    program: `const isSecond = existsSync('first'); touch('first'); touch('mug'); touch('paid')
await report('1-add-a-mug', 'pass'); await report('2-pay', isSecond ? 'pass' : 'fail')`,
    verdicts: passes,
    text: spec.replace('Pay for it.', '<!-- mdtest: retry=1 -->\n\nPay for it.'),
  },
}

/** Like Claude Code or Codex by its name, without a stream of events. The working directory says which case it is. */
const program = `#!${process.execPath}
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { callReportTool, reportAccess } from ${JSON.stringify(new URL('../support/report-client.mjs', import.meta.url).href)}
const log = process.argv.map((arg) => /^Result log: (.+)$/m.exec(arg)?.[1]).find(Boolean)
const file = process.argv[process.argv.indexOf('--mcp-config') + 1]
const touch = (name, text = '') => writeFileSync(name, text)
const write = (status) => writeFileSync(log, '---\\nstatus: ' + status + '\\n---\\n')
const report = (step, status) => callReportTool(reportAccess(), 'report_step', { step, status })
const programs = {
${Object.entries(cases)
  .map(([name, each]) => `'${name}': async () => { ${each.program} }`)
  .join(',\n')}
}
await programs[basename(process.cwd())]()
`

describe('a program with the name of a product', () => {
  let project: Project
  let stdout = ''
  beforeAll(async () => {
    const specs = Object.entries(cases).map(([name, { agent, text = spec }]) => [
      `${name}/${name}.test.md`,
      `---\nagent: ${agent}\nexecutor: agent\nmin-assurance: claimed\ncwd: ${name}\n---\n\n${text}`,
    ])
    project = await createProject({
      'vitest.config.js': plainConfig,
      ...Object.fromEntries(specs),
      ...{ 'bin/claude': program, 'bin/codex': program, 'bin/package.json': '{ "type": "module" }', 'tmp/.keep': '' },
    })
    for (const name of ['claude', 'codex']) await chmod(project.path(`bin/${name}`), 0o755)
    const env = { PATH: `${project.path('bin')}:${process.env.PATH}`, TMPDIR: project.path('tmp') }
    stdout = (await project.vitest(['run', '--reporter=json'], { env, timeoutMs: 280_000 })).stdout
    return () => project[Symbol.asyncDispose]()
  })

  test.for(Object.entries(cases))('%s', ([name, { verdicts }]) => {
    expect(verdictsOf(stdout, `${name}.test.md`)).toEqual(verdicts)
  })

  test('is kept from the second step by a block of the first', async () => {
    expect(await project.read('reports-in-vain/answer')).toContain('Stop:')
    expect(await project.read('reports-in-vain/late')).toContain('nothing more is to be reported')
  })

  test('gets its token in a file for its user alone, and the log counts the attempts', async () => {
    expect(await project.read('shows-its-token/mode')).toBe('600')
    const log = readJsonReport(stdout)['tries-again.test.md']?.[1]?.log ?? ''
    expect(await project.read(log)).toMatch(/status: pass\n[\s\S]*attempt: 2\n/)
  })

  test('leaves nothing', async () => {
    expect(await leftAfter(project.dir)).toEqual([])
    expect(readdirSync(project.path('tmp')).filter((name) => name.startsWith('mdtest'))).toEqual([])
  })
})
