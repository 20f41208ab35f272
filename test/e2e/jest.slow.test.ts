import { chmod } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { runJest } from '../support/jest-report.ts'
import { jest } from '../support/lane.ts'
import { contentOf, summaryIn, told } from '../support/report-summary.ts'

const none = '---\nagent: none\n---\n\n'
const step = (title: string, code: string): string => `## ${title}\n\n\`\`\`sh\n${code}\n\`\`\`\n\n`
const shop = `${none}# Shop\n\n${step('One', 'cart=mug; echo one >> trace')}${step('Two', 'echo "two $cart" >> trace')}${step('Three', 'echo "three $cart" >> trace')}`
const configOf = (options = ''): string =>
  `import { mdtest } from 'vitest-mdtest/jest'\nexport default mdtest({ ${options} })\n`
const status = (tests: readonly { readonly status: string }[] = []): readonly string[] =>
  tests.map((each) => each.status)

/** Costs 0.3 US dollars, passes, and tells when it was at work. */
const agent = `#!${process.execPath}
import { appendFileSync, writeFileSync } from 'node:fs'
const [log] = /^Result log: (.*)$/m.exec(process.argv.at(-1)).slice(1)
const run = /[0-9a-f]{32}/.exec(process.argv.at(-1))[0]
const say = (line) => console.log(JSON.stringify(line))
appendFileSync('trace', 'begins ')
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'shop' } }] } })
say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a mug' }] } })
setTimeout(() => {
  writeFileSync(log, '---\\nstatus: pass\\nrun: ' + run + '\\n---\\n\\nDone.\\n')
  // Before the cost is told: an agent that is over the budget is ended at once.
  appendFileSync('trace', 'ends ')
  say({ type: 'result', subtype: 'success', is_error: false, total_cost_usd: 0.3, num_turns: 1, usage: { input_tokens: 10, output_tokens: 2 } })
}, 400)
`

describe.skipIf(jest.unavailable !== undefined)('Jest', () => {
  test('runs specs beside the tests of a project, in their order, and for a filter what comes before', async () => {
    const config =
      "const { mdtest } = require('vitest-mdtest/jest')\nmodule.exports = { projects: [{ displayName: 'unit', testMatch: ['**/*.unit.js'] }, mdtest()] }\n"
    const unit = "test('adds', () => expect(1 + 1).toBe(2))\n"
    await using project = await createProject(
      { 'package.json': '{}', 'jest.config.js': config, 'sum.unit.js': unit, 'shop.test.md': shop },
      jest,
    )
    const filtered = await runJest(project, ['-t', 'shop two'])
    expect(status(filtered.specs['shop.test.md']?.tests), filtered.all).toEqual(['pending', 'passed', 'pending'])
    expect(await project.read('trace')).toBe('one\ntwo mug\n')
    await project.write('trace', '')
    const all = await runJest(project, ['--randomize', '--seed=3', '--shard=1/1'])
    expect(all.exitCode, all.all).toBe(0)
    expect(status(all.specs['sum.unit.js']?.tests)).toEqual(['passed'])
    expect(status(all.specs['shop.test.md']?.tests)).toEqual(['passed', 'passed', 'passed'])
    expect(await project.read('trace')).toBe('one\ntwo mug\nthree mug\n')
  })

  test('writes the report, with what became of each step and why', async () => {
    const config = `import { mdtest } from 'vitest-mdtest/jest'
const reporters = ['default', ['vitest-mdtest/jest/reporter', JSON.parse(process.env.REPORT ?? '{}')]]
export default { projects: [{ displayName: 'unit', testMatch: ['**/*.unit.js'] }, mdtest({ reportDir: 'out' })], reporters }
`
    const twice = `${none}# Twice\n\n${step('Same', 'true')}# Twice again\n\n${step('Same', 'echo "no mug" >&2; exit 3')}`
    await using project = await createProject(
      {
        ...{ 'package.json': '{}', 'jest.config.mjs': config, 'sum.unit.js': "test('adds', () => {})\n" },
        ...{ 'shop.test.md': shop, 'twice.test.md': twice, 'broken.test.md': '---\nnope: 1\n---\n\n# Broken\n' },
      },
      jest,
    )
    const run = await runJest(project)
    expect(run.all).toContain('report: out/index.html')
    const summary = await summaryIn(project, 'out')
    expect(told(summary)).toEqual({
      'broken.test.md': 'fail',
      'shop.test.md': 'pass pass pass pass',
      'twice.test.md': 'fail pass fail',
    })
    expect(summary).toMatchObject({ otherTests: { pass: 1, fail: 0, skipped: 0 }, missing: 0, errors: [] })
    expect(await contentOf(project, 'twice.test.md', 'out')).toContain('no mug')
    expect(await contentOf(project, 'broken.test.md', 'out')).toContain('front-matter-unknown-key')
    const named = await runJest(project, ['shop'], { REPORT: '{"dir":"mine"}' })
    expect(named.exitCode, named.all).toBe(0)
    expect(told(await summaryIn(project, 'mine'))).toEqual({ 'shop.test.md': 'pass pass pass pass' })
    expect((await runJest(project, ['shop'], { REPORT: '{"dir":42}' })).all).toContain('is a path, got 42')
  })

  test('takes a configuration by hand, and says what it lacks', async () => {
    const lacking = {
      testMatch: ['**/*.test.md'],
      moduleFileExtensions: ['js', 'json', 'node', 'md'],
      transform: { '\\.test\\.md$': ['vitest-mdtest/jest', { blockTimeoutMs: 3000 }] },
      setupFilesAfterEnv: ['<rootDir>/retry.js'],
    }
    const setup = { globalSetup: 'vitest-mdtest/jest/setup', globalTeardown: 'vitest-mdtest/jest/teardown' }
    await using project = await createProject(
      {
        'package.json': '{}',
        'retry.js': 'jest.retryTimes(1)\n',
        'whole.json': JSON.stringify({ ...lacking, ...setup }),
        'lacking.json': JSON.stringify(lacking),
        'shop.test.md': `${none}# Shop\n\n${step('Flaky', 'echo x >> trace; test $(wc -l < trace) -eq 2')}${step('Slow', 'sleep 600')}`,
      },
      jest,
    )
    const without = await runJest(project, ['--config=lacking.json'])
    expect(without.specs['shop.test.md']?.message).toContain("lacks `globalSetup: 'vitest-mdtest/jest/setup'`")
    const { specs } = await runJest(project, ['--config=whole.json'])
    const [flaky, slow] = specs['shop.test.md']?.tests ?? []
    expect([flaky?.status, slow?.status]).toEqual(['passed', 'failed'])
    expect(slow?.failure).toContain('BLOCK_TIMEOUT: The script took longer than 3000 ms')
  })

  test('reads included files anew, refuses `ts` blocks, and rewrites expected output with -u', async () => {
    const include = '---\nagent: none\ninclude: [./shared.md]\n---\n\n'
    const shown = '# Shop\n\n## Greet\n\n```console\n$ echo hello\ngoodbye\n```\n'
    await using project = await createProject(
      {
        'jest.config.js': configOf(),
        'shared.md': `# Shared\n\n${step('Included', 'true')}`,
        'shop.test.md': `${include}# Shop\n\n${step('Own', 'true')}`,
        'code.test.md': `${none}# Code\n\n## Typed\n\n\`\`\`ts\nconst one: number = 1\n\`\`\`\n`,
        'greet.test.md': `${none}${shown}`,
      },
      jest,
    )
    const first = await runJest(project)
    expect(status(first.specs['shop.test.md']?.tests), first.all).toEqual(['passed', 'passed'])
    expect(first.specs['code.test.md']?.tests[0]?.failure).toMatch(
      /RUN_FAILED: Under Jest no `ts` block can be run\. Write it as a `sh` block[\s\S]*code\.test\.md:9:1/,
    )
    expect(status(first.specs['greet.test.md']?.tests)).toEqual(['failed'])
    await project.write('shared.md', `# Shared\n\n${step('Renamed', 'false')}`)
    const second = await runJest(project, ['-u', 'shop', 'greet'])
    expect(second.specs['shop.test.md']?.tests[0]).toMatchObject({ name: 'Shop > Shared > Renamed', status: 'failed' })
    expect(status(second.specs['greet.test.md']?.tests)).toEqual(['passed'])
    expect(await project.read('greet.test.md')).toBe(`${none}${shown.replace('goodbye', 'hello')}`)
  })

  test('keeps to limits for a whole run over all workers, and to one set of them', async () => {
    const options = "agent: 'claude', executor: 'agent', minAssurance: 'claimed', maxAgents: 1, maxRunCostUsd: 0.7"
    const prose = '# Shop\n\nPut a mug into the cart.\n'
    const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.test.md`, prose]))
    await using project = await createProject(
      {
        'jest.config.js': configOf(options),
        'two.config.js':
          "import { mdtest } from 'vitest-mdtest/jest'\nexport default { projects: [mdtest({ maxAgents: 2 }), { ...mdtest(), displayName: 'more', testMatch: ['**/more/*.test.md'] }] }\n",
        'bin/claude': agent,
        'bin/package.json': '{ "type": "module" }\n',
        'more/more.test.md': `${none}# More\n\n${step('One', 'true')}`,
        ...files,
      },
      jest,
    )
    await chmod(project.path('bin/claude'), 0o755)
    const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
    const { specs, all } = await runJest(project, ['--maxWorkers=3', '[abc].test.md'], env)
    const tests = Object.values(specs).flatMap((spec) => spec.tests)
    expect(status(tests).toSorted(), all).toEqual(['failed', 'passed', 'passed'])
    expect(tests.find((each) => each.status === 'failed')?.failure).toContain('blocked: AGENT_BUDGET: ')
    expect(all).toContain('agents: 3 scenarios, 30 tokens in, 6 out, $0.90')
    expect(await project.read('trace')).toBe('begins ends begins ends begins ends ')
    const two = await runJest(project, ['--config=two.config.js', 'more.test.md'])
    expect(two.all).toContain("Jest's projects have different values of `maxAgents`")
  })
})
