import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chmod } from 'node:fs/promises'
import { createProject, type Project } from '../support/create-project.ts'
import { createGateProject } from '../support/gate-project.ts'
import { createRepository, startSession } from '../support/mcp-session.ts'

/** What terminals and runners of CI obey, in one text. */
const commands = '::stop-commands::x\n  ::error file=a.js::b\n##[group]c\n##vso[task.complete]d\n##teamcity[e]'
const hostile = `\u001b]0;title\u0007\u001b[2J\u009b1A\0\u202e\r${commands}\u2028::add-mask::f`

/** Colors are Vitest's own. */
const withoutColors = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '')

function expectPlain(text: string): void {
  const shown = withoutColors(text)
  expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
  expect(shown.split('\n').filter((line) => /^\s*::|##(?:\[|vso\[|teamcity\[)/.test(line))).toEqual([])
}

const program = `#!${process.execPath}
import { callReportTool, reportAccess } from ${JSON.stringify(new URL('../support/report-client.mjs', import.meta.url).href)}
const hostile = ${JSON.stringify(hostile)}
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
const encoded = Buffer.from(hostile.replaceAll('\0', '')).toString('base64')
const decoded = `Buffer.from('${encoded}', 'base64').toString()`
const print = `echo ${encoded} | base64 -d`
const none = (body: string): string => `---\nagent: none\n---\n\n# Shop\n\n## Buy\n\n${body}\n`

describe('text of agents and programs is obeyed by nobody', () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'claude' })] }\n`,
      'bin/claude': program,
      'fails.test.md': prose,
      'blocked.test.md': prose,
      'cites.test.md': prose,
      'errs.test.md': prose,
      'passes.test.md': prose,
      'script.test.md': none(`\`\`\`sh\n${print}; ${print} >&2; exit 3\n\`\`\``),
      'output.test.md': none(`\`\`\`console\n$ ${print}\nhello\n\`\`\``),
      'skips.test.md': none(`\`\`\`sh\n${print}; exit 80\n\`\`\``),
      'code.test.md': none(
        `\`\`\`js\nthrow new Error(${decoded})\n\`\`\`\n\n\`\`\`js\nexpect(${decoded}).toBe('hello')\n\`\`\``,
      ),
    })
    await chmod(project.path('bin/claude'), 0o755)
  })
  afterAll(() => project[Symbol.asyncDispose]())
  const env = (): Record<string, string> => ({ PATH: `${project.path('bin')}:${process.env.PATH}`, CI: 'true' })

  test.for(['default', 'verbose', 'tap', 'tap-flat', 'tree', 'dot'])('with the reporter %s', async (reporter) => {
    const summary = project.path('summary.md')
    await project.write('summary.md', '')
    // Beside each other: these two write files.
    const written = reporter === 'default' ? (['json', 'junit'] as const) : []
    const beside = written.flatMap((name) => [`--reporter=${name}`, `--outputFile.${name}=report.${name}`])
    const { stdout, all, exitCode } = await project.vitest(['run', `--reporter=${reporter}`, ...beside], {
      env: { ...env(), GITHUB_STEP_SUMMARY: summary },
    })
    expect(exitCode).toBe(1)
    const reports = await Promise.all(written.map((name) => project.read(`report.${name}`)))
    for (const text of [all, ...reports]) expect(text).toContain('STEP_FAILED')
    for (const text of [stdout, all, ...reports, await project.read('summary.md')]) expectPlain(text)
  })

  test('with the reporter github-actions, but for its own commands', async () => {
    const { all } = await project.vitest(['run', '--reporter=github-actions'], { env: env() })
    const lines = withoutColors(all).split('\n')
    expectPlain(lines.filter((line) => !/^::(?:error|notice) (?:file|title)=/.test(line)).join('\n'))
    expect(all).not.toMatch(/%0A[ \t]*::|\r/)
  })

  test('by mdtest list, run and show', async () => {
    await project.vitest(['run', 'fails', 'passes', 'cites', 'errs'], { env: env() })
    for (const args of [['show'], ['show', '--json'], ['list'], ['list', '--json'], ['run']]) {
      const { all } = await project.mdtest(args, { env: env() })
      expect(all).not.toBe('')
      expectPlain(all)
    }
  })

  test('a block sees the very bytes', async () => {
    await project.write('same.test.md', none(`\`\`\`sh\ntest "$(${print})" = "$(${print})"\n\`\`\``))
    const { exitCode } = await project.vitest(['run', 'same'], { env: env() })
    expect(exitCode).toBe(0)
    const { stdout } = await project.mdtest(['show', '--json', 'fails.test.md'], { env: env() })
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(hostile).slice(1, -1))
    await project.remove('same.test.md')
  })
})

const suite = `import test from 'node:test'
console.log(${JSON.stringify(hostile)})
test(${JSON.stringify(`name ${hostile}`)}, () => { throw new Error(${JSON.stringify(hostile)}) })
`

test('names and messages of foreign tests are obeyed by nobody: mdtest gate', async () => {
  const config = JSON.stringify({
    commands: { compile: null, lint: null, test: 'node --test a.test.mjs' },
    executionLog: true,
  })
  using gated = createGateProject({ 'mdtest.config.json': config, 'a.test.mjs': suite })
  for (const more of [[], ['--json']]) {
    const { stdout, stderr, exitCode } = await gated.gate('--agent', 'none', ...more)
    expect(exitCode).toBe(1)
    expectPlain(`${stdout}\n${stderr}`)
  }
  expectPlain(gated.read('EXECUTION-LOG.md'))
})

test('names and messages of foreign tests are obeyed by nobody: run_test', async () => {
  await using repository = await createRepository({ 'a.test.mjs': suite })
  await using session = await startSession(repository)
  const { text, content } = await session.call({ runner: 'node', scope: 'all' })
  expect(content).toMatchObject({ status: 'fail' })
  expectPlain(text)
  const strings = JSON.stringify(content.failing_tests.map(({ name, message }) => `${name}\n${message}`))
  for (const one of JSON.parse(strings) as string[]) expectPlain(one) // what was written above
})
