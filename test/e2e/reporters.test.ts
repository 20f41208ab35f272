import { chmod } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, type Finished, type Project } from '../support/create-project.ts'
import { expectPlain, hostileOutput, withoutColors } from '../support/hostile-output.ts'
import { readJsonReport } from '../support/json-report.ts'
import { failingSpec, passingSpec } from '../support/specs.ts'

// What each reporter says, whole: reporters.slow.test.ts.

const program = `#!${process.execPath}
import { callReportTool, reportAccess } from ${JSON.stringify(new URL('../support/report-client.mjs', import.meta.url).href)}
const hostile = ${JSON.stringify(hostileOutput)}
const print = (event) => console.log(JSON.stringify(event))
const begin = (id, name, input) => print({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } })
const end = (id, content) => print({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content }] } })
print({ type: 'system', subtype: 'init', session_id: 's', model: 'm\\u001b[2J' })
begin('1', 'Bash', { command: 'shop\\n' + hostile })
end('1', hostile)
const cited = { evidence: [{ quote: 'never said ' + hostile }, hostile] }
const spec = /^Specification: (.+)$/m.exec(process.argv.at(-1))[1]
const is = (name) => spec.endsWith(name + '.test.md')
const status = is('fails') ? 'fail' : is('blocked') ? 'blocked' : 'pass'
const checks = [{ n: 1, status, observed: hostile }]
const report = { step: '1-buy', status, observed: hostile, checks, ...(is('cites') && cited) }
begin('2', 'mcp__mdtest__report_step', report)
await callReportTool(reportAccess(), 'report_step', report)
end('2', 'go on')
print({ type: 'assistant', message: { content: [{ type: 'text', text: hostile }] } })
print({ type: 'result', subtype: 'success', is_error: is('errs'), result: hostile, errors: [hostile], permission_denials: !is('blocked') ? [] : [{ tool_name: 'Bash', tool_use_id: '9', tool_input: { command: hostile } }] })
console.error(hostile)
process.exit(is('errs') ? 3 : 0)
`
const prose = '# Shop\n\n## Buy\n\nBuy a mug.\n\n- [ ] It is there\n'
/** The spec itself holds none of it: Vitest shows lines of files as they are. */
const encoded = Buffer.from(hostileOutput.replaceAll('\0', '')).toString('base64')
const decoded = `Buffer.from('${encoded}', 'base64').toString()`
const print = `echo ${encoded} | base64 -d`
const none = (body: string): string => `---\nagent: none\n---\n\n# Shop\n\n## Buy\n\n${body}\n`
const agents = ['fails', 'blocked', 'cites', 'errs', 'passes']

describe('text of agents and programs is obeyed by nobody', () => {
  let project: Project
  let run: Finished
  const env = (): Record<string, string> => ({ PATH: `${project.path('bin')}:${process.env.PATH}`, CI: 'true' })
  beforeAll(async () => {
    project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'claude', executor: 'agent', minAssurance: 'claimed' })] }\n`,
      'bin/claude': program,
      'bin/package.json': '{ "type": "module" }\n',
      ...Object.fromEntries(agents.map((name) => [`${name}.test.md`, prose])),
      'script.test.md': none(`\`\`\`sh\n${print}; ${print} >&2; exit 3\n\`\`\``),
      'output.test.md': none(`\`\`\`console\n$ ${print}\nhello\n\`\`\``),
      'code.test.md': none(
        `\`\`\`js\nthrow new Error(${decoded})\n\`\`\`\n\n\`\`\`js\nexpect(${decoded}).toBe('hello')\n\`\`\``,
      ),
      'skips.test.md': none(`\`\`\`sh\n${print}; exit 80\n\`\`\``),
      'same.test.md': none(`\`\`\`sh\ntest "$(${print})" = "$(${print})"\n\`\`\``),
    })
    await chmod(project.path('bin/claude'), 0o755)
    const shown = ['default', 'verbose', 'tree', 'dot', 'tap', 'tap-flat', 'github-actions', 'junit']
    const reporters = ['json', 'vitest-mdtest/reporter', 'vitest-mdtest/ctrf', ...shown].map(
      (name) => `--reporter=${name}`,
    )
    run = await project.vitest(['run', ...reporters, '--outputFile.junit=report.xml'], {
      env: { ...env(), GITHUB_STEP_SUMMARY: project.path('summary.md') },
    })
  })
  afterAll(() => project[Symbol.asyncDispose]())

  test('by no reporter of Vitest, and by runners of CI but for the commands of `github-actions`', async () => {
    expect(run.exitCode).toBe(1)
    const lines = withoutColors(run.all).split('\n')
    expectPlain(lines.filter((line) => !/^::(?:error|notice) (?:file|title)=/.test(line)).join('\n'))
    expect(run.all).not.toMatch(/%0A[ \t]*::|\r/)
    // All have said it.
    expect(run.all.match(/STEP_FAILED/g)?.length).toBeGreaterThan(6)
    for (const text of [run.stdout, await project.read('report.xml')]) {
      expect(text).toContain('STEP_FAILED')
      expectPlain(text)
    }
    const summary = await project.read('summary.md')
    expect(summary).toContain('fails.test.md')
    expectPlain(summary)
  })

  test('by no command of mdtest', async () => {
    for (const args of [
      ['show'],
      ['show', '--json'],
      ['list'],
      ['list', '--why'],
      ['report', '--github', '--dry-run'],
    ]) {
      const { all } = await project.mdtest(args, { env: env() })
      expect(all).not.toBe('')
      expectPlain(all)
    }
  })

  test('yet a block and `mdtest show` have the very bytes', async () => {
    expect(readJsonReport(run.stdout)['same.test.md']?.map(({ status }) => status)).toEqual(['passed'])
    const { stdout } = await project.mdtest(['show', '--json', 'fails.test.md'], { env: env() })
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(hostileOutput).slice(1, -1))
  })
})

test('`mdtest run` appends its specs to the summary of the job, once', async () => {
  await using project = await createProject({
    'a.test.md': passingSpec,
    'b.test.md': failingSpec,
    'summary.md': '# Before',
  })
  const { exitCode } = await project.mdtest(['run'], { env: { GITHUB_STEP_SUMMARY: project.path('summary.md') } })
  expect(exitCode).toBe(1)
  const lines = (await project.read('summary.md')).split('\n')
  expect(lines.slice(0, 4)).toEqual(['# Before', '## Specs', '', '1 passed, 1 failed'])
  expect(lines.filter((line) => line.includes('test.md'))).toEqual([
    expect.stringContaining('| `b.test.md` | ❌ failed | 2 verified | `b.test.md:17` RUN_FAILED'),
    expect.stringContaining('| `a.test.md` | ✅ passed | 2 verified | | |'),
  ])
})
