import { chmod } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { leftAfter } from '../support/leftovers.ts'

const verified = (text: string, file: string): string => `${text}\n\n\`\`\`sh verify\ntest -e ${file}\n\`\`\`\n`
const spec = `# Shop

## Add a mug

${verified('Put a mug into the cart.', 'mug')}
## Pay

${verified('Pay for it.', 'paid')}`

const noLog = 'fail LOG_MISSING'
const skipped = 'skipped PREDECESSOR_FAILED'

/** A project with a program of this name first in PATH. */
async function projectWith(name: 'claude' | 'codex', program: string, text = spec): Promise<Project> {
  const project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: '${name}' })] }\n`,
    [`bin/${name}`]: program,
    'shop.test.md': text,
    'tmp/.keep': '',
  })
  await chmod(project.path(`bin/${name}`), 0o755)
  return project
}

async function run(
  project: Project,
): Promise<{ verdicts: readonly string[]; exitCode: number | undefined; all: string }> {
  const env = { PATH: `${project.path('bin')}:${process.env.PATH}`, TMPDIR: project.path('tmp') }
  const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json'], { env })
  expect(await leftAfter(project.dir)).toEqual([])
  expect(readdirSync(project.path('tmp')).filter((name) => name.startsWith('mdtest'))).toEqual([])
  return { verdicts: verdictsOf(stdout, 'shop.test.md'), exitCode, all }
}

/** Takes the prompt from its last argument and writes a status, nothing else. */
const script = (status: string, exitCode: number): string => `#!/bin/sh
for prompt; do :; done
log=$(printf '%s\\n' "$prompt" | sed -n 's/^Result log: //p')
touch mug paid
${status === '' ? '' : `printf -- '---\\nstatus: ${status}\\n---\\n' > "$log"`}
exit ${exitCode}
`

describe.for(['claude', 'codex'] as const)('a script named %s that reports nothing', (name) => {
  test.for([0, 3, 137])('is judged by its log with the exit code %i', async (exitCode) => {
    await using project = await projectWith(name, script('pass', exitCode))
    expect(await run(project)).toMatchObject({ verdicts: ['pass verified', 'pass verified'], exitCode: 0 })
  })

  test('fails where its log says so, and where there is none', async () => {
    await using failing = await projectWith(name, script('fail', 0))
    expect(await run(failing)).toMatchObject({ verdicts: ['pass verified', 'fail STEP_FAILED'], exitCode: 1 })
    await using silent = await projectWith(name, script('', 0))
    expect(await run(silent)).toMatchObject({ verdicts: [noLog, skipped], exitCode: 1 })
  })

  test('fails a step whose blocks had to run before it', async () => {
    const text = spec.replace('Pay for it.', '```sh run\nrm -f paid\n```\n\nPay for it.')
    await using project = await projectWith(name, script('pass', 0), text)
    const { verdicts, exitCode } = await run(project)
    expect(verdicts).toEqual(['pass verified', 'fail RUN_FAILED'])
    expect(exitCode).toBe(1)
  })
})

const unreachable = {
  claude: `echo '{"type":"system","subtype":"init","mcp_servers":[{"name":"mdtest","status":"failed"}]}'`,
  codex: `echo 'Error: required MCP servers failed to initialize: mdtest: no way' >&2; exit 1`,
}

test.for(['claude', 'codex'] as const)('%s without a way to the report server is blocked', async (name) => {
  await using project = await projectWith(name, `#!/bin/sh\n${unreachable[name]}\n`)
  expect(await run(project)).toMatchObject({ verdicts: ['blocked MCP_UNAVAILABLE', skipped], exitCode: 1 })
})

const reportClient = new URL('../support/report-client.mjs', import.meta.url).href

/** A program that reports like Claude Code, without a stream of events. */
const reporter = (program: string): string => `#!${process.execPath}
import { statSync, writeFileSync } from 'node:fs'
import { callReportTool, reportAccess } from ${JSON.stringify(reportClient)}
const file = process.argv[process.argv.indexOf('--mcp-config') + 1]
const call = (name, input) => callReportTool(reportAccess(), name, input)
const report = (step, status) => call('report_step', { step, status })
const touch = (name) => writeFileSync(name, '')
${program}
`

// Together: each report that no stream shows is waited for.
describe.concurrent('a program that reports', () => {
  test('passes step by step; what nobody saw is claimed, what a block saw is verified', async () => {
    const program = `touch('mug'); await report('1-add-a-mug', 'pass'); touch('paid'); await report('2-pay', 'pass')`
    await using project = await projectWith('claude', reporter(program))
    expect(await run(project)).toMatchObject({ verdicts: ['pass verified', 'pass verified'], exitCode: 0 })
    await using bare = await projectWith('claude', reporter(program), spec.replaceAll(/```[\s\S]*?```/g, ''))
    expect(await run(bare)).toMatchObject({ verdicts: ['pass claimed', 'pass claimed'], exitCode: 0 })
  })

  test('is kept from the second step by a block of the first', async () => {
    const program = `writeFileSync('answer', await report('1-add-a-mug', 'pass')); writeFileSync('late', await report('2-pay', 'pass'))`
    await using project = await projectWith('claude', reporter(program))
    expect(await run(project)).toMatchObject({ verdicts: ['fail VERIFY_FAILED', skipped], exitCode: 1 })
    expect(await project.read('answer')).toContain('Stop:')
    expect(await project.read('late')).toContain('nothing more is to be reported')
  })

  test('may die while its report is looked at, and after it', async () => {
    const program = `touch('mug'); report('1-add-a-mug', 'pass'); setTimeout(() => process.exit(1), 300)`
    await using project = await projectWith('claude', reporter(program))
    expect(await run(project)).toMatchObject({ verdicts: ['pass verified', 'fail STEP_UNREPORTED'], exitCode: 1 })
  })

  test('may leave a log of its own, which must not say otherwise', async () => {
    const log = `const log = /^Result log: (.+)$/m.exec(process.argv.at(-1))[1]`
    const both = `touch('mug'); await report('1-add-a-mug', 'pass'); touch('paid'); await report('2-pay', 'pass')`
    await using project = await projectWith(
      'claude',
      reporter(`${log}; ${both}; writeFileSync(log, '---\\nstatus: fail\\n---\\n')`),
    )
    expect(await run(project)).toMatchObject({ verdicts: ['pass verified', 'fail STATUS_CONTRADICTS_STEPS'] })
  })

  test('gets its token in a file for its user alone', async () => {
    const program = `writeFileSync('mode', (statSync(file).mode & 0o777).toString(8)); await report('1-add-a-mug', 'fail')`
    await using project = await projectWith('claude', reporter(program))
    expect((await run(project)).verdicts[0]).toBe('fail STEP_FAILED')
    expect(await project.read('mode')).toBe('600')
  })

  test('starts anew with a retry, and the log counts the attempts', async () => {
    const program = `const { existsSync } = await import('node:fs')
const isSecond = existsSync('first'); touch('first'); touch('mug'); touch('paid')
await report('1-add-a-mug', 'pass'); await report('2-pay', isSecond ? 'pass' : 'fail')`
    await using project = await projectWith('claude', reporter(program))
    const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
    const { stdout, exitCode } = await project.vitest(['run', '--retry=1', '--reporter=json'], { env })
    expect(exitCode).toBe(0)
    const log = readJsonReport(stdout)['shop.test.md']?.[1]?.log ?? ''
    expect(await project.read(log)).toMatch(/status: pass\n[\s\S]*attempt: 2\n/)
  })
})
