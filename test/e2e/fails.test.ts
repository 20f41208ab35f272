import { chmod } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'

const block = (code: string): string => `\`\`\`sh\n${code}\n\`\`\`\n\n`
const reportClient = new URL('../support/report-client.mjs', import.meta.url).href
const shop = `# Shop

## Add a mug

<!-- mdtest: FIRST -->

Put a mug into the cart.

## Pay

<!-- mdtest: SECOND -->

Pay for it.
`

/** A shop whose steps a program carries out that reports like Claude Code. Directives as given. */
async function shopWith(
  program: string,
  { first = 'retry=0', second = 'retry=0' }: { first?: string; second?: string } = {},
): Promise<{ readonly project: Project; readonly env: Readonly<Record<string, string>> }> {
  const project = await createProject({
    'vitest.config.js': plainConfig.replace('mdtest()', `mdtest({ agent: 'claude' })`),
    'bin/claude': `#!${process.execPath}
import { reportStep } from ${JSON.stringify(reportClient)}
const report = (step, status) => reportStep({ step, status })
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
${program}
`,
    'bin/package.json': '{ "type": "module" }\n',
    'shop.test.md': shop.replace('FIRST', first).replace('SECOND', second),
  })
  await chmod(project.path('bin/claude'), 0o755)
  return { project, env: { PATH: `${project.path('bin')}:${process.env.PATH}` } }
}

describe('`fails`', () => {
  test('inverts a failure and a pass, and the steps behind it run', async () => {
    const spec = `---\nagent: none\n---\n\n# A\n\n## Known\n\n<!-- mdtest: fails -->\n\n${block('false')}## Next\n\n${block('true')}## Mended\n\n<!-- mdtest: fails -->\n\n${block('true')}## Last\n\n${block('true')}`
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': spec })
    const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json'])
    expect(exitCode, all).toBe(1)
    expect(verdictsOf(stdout, 'a.test.md')).toEqual([
      'pass verified',
      'pass verified',
      'fail PASSED_UNEXPECTEDLY',
      'skipped PREDECESSOR_FAILED',
    ])
    expect(stdout).toContain(`${project.path('a.test.md')}:21:1`)
    const junit = await project.vitest(['run', '--reporter=junit', '-t', 'Known'])
    expect(junit.exitCode).toBe(0)
    expect(junit.stdout).toContain('<property name="mdtest:fails" value="failed as expected: RUN_FAILED')
  })

  test('holds for the agent as well: it goes on behind a failure that is expected', async () => {
    const program = `await report('1-add-a-mug', 'fail'); await report('2-pay', 'pass')`
    const { project, env } = await shopWith(program, { first: 'fails' })
    await using _project = project
    const { stdout, exitCode, all } = await project.vitest(['run', '--reporter=json'], { env })
    expect(exitCode, all).toBe(0)
    expect(verdictsOf(stdout, 'shop.test.md')).toEqual(['pass claimed', 'pass claimed'])
  })

  test('never inverts what is blocked', async () => {
    const { project, env } = await shopWith(`await report('1-add-a-mug', 'blocked')`, { first: 'fails' })
    await using _project = project
    const { stdout, exitCode } = await project.vitest(['run', '--reporter=json'], { env })
    expect(exitCode).toBe(1)
    expect(verdictsOf(stdout, 'shop.test.md')[0]).toBe('blocked AGENT_BLOCKED')
  })
})

describe('`timeout` of a step', () => {
  test('ends the blocks of a step together; the tear-down runs', async () => {
    const transcript = '```console\n$ sleep 0.7\n$ sleep 0.7\n$ sleep 30\n```\n\n'
    const spec = `---\nagent: none\n---\n\n# A\n\n## Slow\n\n<!-- mdtest: timeout=1s -->\n\n${transcript}## Next\n\n${block('true')}## Teardown\n\n${block('touch torn-down')}`
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': spec })
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    const tests = readJsonReport(stdout)['a.test.md'] ?? []
    expect(tests.map(({ codes }) => codes)).toEqual([['BLOCK_TIMEOUT'], ['PREDECESSOR_FAILED']])
    expect(tests[0]?.messages?.[0]).toContain('The `timeout` of the step, 1000 ms for all that it does, is over.')
    expect(tests[0]?.messages?.[0]).toContain('`sleep 0.7`')
    expect(await project.read('torn-down')).toBe('')
  })

  test('ends an agent that takes too long for one step; those before it stand', async () => {
    const program = `await wait(1200); await report('1-add-a-mug', 'pass'); await wait(20000); await report('2-pay', 'pass')`
    const { project, env } = await shopWith(program, { first: 'timeout=15s', second: 'timeout=1s' })
    await using _project = project
    const { stdout } = await project.vitest(['run', '--reporter=json'], { env })
    const tests = readJsonReport(stdout)['shop.test.md'] ?? []
    expect(verdictsOf(stdout, 'shop.test.md')).toEqual(['pass claimed', 'blocked AGENT_TIMEOUT'])
    expect(tests[1]?.messages?.[0]).toContain('the step "Pay" took longer than its `timeout` of 1000 ms')
  })
})

test('the limit of each step counts from the report before it', async () => {
  const program = `await wait(1500); await report('1-add-a-mug', 'pass'); await wait(1500); await report('2-pay', 'pass'); await wait(1500)`
  const { project, env } = await shopWith(program, { first: 'timeout=2700ms', second: 'timeout=2700ms' })
  await using _project = project
  const { stdout, all } = await project.vitest(['run', '--reporter=json'], { env })
  expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass claimed', 'pass claimed'])
})

test('a step that fails for want of time at its first try passes at the second', async () => {
  const program = `import { existsSync, writeFileSync } from 'node:fs'
if (!existsSync('tried')) { writeFileSync('tried', ''); await wait(20000) }
await report('1-add-a-mug', 'pass'); await report('2-pay', 'pass')`
  const { project, env } = await shopWith(program, { first: 'timeout=3s' })
  await using _project = project
  const { stdout, all } = await project.vitest(['run', '--reporter=json', '--retry=1'], { env })
  expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass claimed', 'pass claimed'])
})

test('a limit that nobody could keep is a problem of the spec', async () => {
  await using project = await createProject({
    'vitest.config.js': plainConfig.replace('mdtest()', `mdtest({ agent: { command: ['true'] } })`),
    'shop.test.md': shop.replace('FIRST', 'timeout=1s').replace('SECOND', 'retry=0'),
  })
  const { all } = await project.vitest(['run'])
  expect(all).toContain('shop.test.md:3:1  needs-reports  This step has a `timeout`')
})
