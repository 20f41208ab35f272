import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gateProjectOfSums as project, rightSum as right, sums } from '../support/gate-project.ts'

// More of it: gate.slow.test.ts.

test('mdtest gate runs all gates, keeps what they printed and blocks on red', async () => {
  using red = project({ 'EXECUTION-LOG.md': '# Log\n\nMine.\n', '.planning/plan.md': '' })
  const { exitCode, stdout, stderr } = await red.gate('--agent', 'none')
  expect(exitCode).toBe(1)
  expect(stdout).toContain('Compile: PASS (command: node --check sum.mjs, exit_code: 0)\nLint: SKIPPED\nTest: FAIL (')
  expect(stdout).toContain('adds (sum.test.mjs:4)')
  expect(stderr).toContain('mdtest gate: test: node --test sum.test.mjs\n')
  const [folder = ''] = red.folders()
  expect(stdout).toContain(`\nEvidence: .mdtest/gate/${folder}/gate_results.json\n`)
  const kept = JSON.parse(red.read(`.mdtest/gate/${folder}/gate_results.json`))
  expect(kept.gate_results).toEqual({
    compile: { status: 'pass', command: 'node --check sum.mjs', exit_code: 0, output: '' },
    lint: { status: 'skipped', command: null, exit_code: null, output: '' },
    test: {
      status: 'fail',
      command: 'node --test sum.test.mjs',
      exit_code: 1,
      output: expect.stringMatching(/^[^]{500}$/),
      pass_count: 1,
      fail_count: 1,
      failing_tests: ['adds'],
      attempts: 1,
      fix_attempts: [],
    },
  })
  expect(red.read(`.mdtest/gate/${folder}/test-1.log`)).toContain('ERR_ASSERTION')
  expect(red.read('EXECUTION-LOG.md')).toBe(
    '# Log\n\nMine.\n\n## Gate Results\n\n- **Compile:** PASS (command: node --check sum.mjs, exit_code: 0)\n- **Lint:** SKIPPED\n' +
      '- **Test:** FAIL (command: node --test sum.test.mjs, exit_code: 1, pass: 1, fail: 1, attempts: 1)\n' +
      '- **gate_validation:** compile: pass, lint: skipped, test: fail\n',
  )

  red.write('sum.mjs', right)
  const green = await red.evidence()
  expect(green).toMatchObject({
    exitCode: 0,
    test: { status: 'pass', pass_count: 2, fail_count: 0, failing_tests: [] },
  })
  expect(red.read('EXECUTION-LOG.md')).toContain(
    'exit_code: 0, pass: 2, fail: 0, attempts: 1)\n- **gate_validation:** compile: pass',
  )
  expect(red.folders()).toHaveLength(2)
})

test('an agent cannot turn tests green by changing them, and fixes what is red at the next attempt', async () => {
  const act = `writeFileSync(\`\${process.env.HOME}/prompt.txt\`, prompt)
if (existsSync('../tried')) writeFileSync('sum.mjs', ${JSON.stringify(right)})
else for (const file of ['../tried', 'sum.test.mjs', 'new.txt']) writeFileSync(file, '')`
  using red = project({ 'user.txt': 'not committed\n' }, act)
  red.git('init', '-q')
  const { exitCode, compile, test: tests } = await red.evidence()
  expect([exitCode, compile?.status]).toEqual([0, 'pass'])
  expect(tests).toMatchObject({ status: 'pass', attempts: 2 })
  expect(tests?.fix_attempts).toMatchObject([
    {
      what_failed: 'test (1 failed: adds)',
      result: 'rejected',
      fix_applied: expect.stringMatching(
        /^It changed sum\.test\.mjs; all was undone and is kept in .*: `git .*restore --overlay --source=/,
      ),
    },
    {
      what_failed: 'test (1 failed: adds)',
      fix_applied: 'I fixed it. Changed: sum.mjs.',
      result: 'pass',
      changed: ['sum.mjs'],
      left_out: [],
    },
  ])
  expect(red.read('../home/prompt.txt')).toMatch(/## test\n\nCommand: node --test sum\.test\.mjs\n/)
  expect([red.read('sum.test.mjs'), red.read('user.txt')]).toEqual([sums, 'not committed\n'])
  expect(existsSync(red.path('new.txt'))).toBe(false)
})

test('the hook refuses a commit with red tests, and goes without a trace', async () => {
  using red = project()
  red.git('init', '-q')
  expect(await red.gate('--hook')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(
      /^pre-commit, pre-merge-commit, pre-applypatch, prepare-commit-msg in .* run the gates/,
    ),
  })
  red.git('add', '-A')
  expect(() => red.git('commit', '-qm', 'red')).toThrow('Test: FAIL')
  red.git('commit', '-qm', 'wanted', '--no-verify')
  red.write('sum.mjs', right)
  red.git('commit', '-qam', 'green')
  expect(red.git('log', '--format=%s')).toBe('green\nwanted\n')
  expect(await red.gate('--hook', '--remove')).toMatchObject({ exitCode: 0 })
  expect(existsSync(red.path('.git/hooks/pre-commit'))).toBe(false)
  expect((await red.gate('--hook', '--remove')).stdout).toContain('did not run the gates')
  red.write('.git/hooks/pre-commit', '#!/bin/sh\ntrue\n')
  expect(await red.gate('--hook')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      '\nnpx --no-install vitest-mdtest gate --fix-attempts 0 --no-execution-log || exit 1\n',
    ),
  })
  expect(red.read('.git/hooks/pre-commit')).toBe('#!/bin/sh\ntrue\n')
})

test('a test gate that ran nothing is red where its output says so, else a concern, and red where tests are required', async () => {
  const gates = async (command: string | object, more: object = {}) => {
    using tried = project({ 'mdtest.config.json': JSON.stringify({ commands: { test: command }, ...more }) })
    tried.write('test', '')
    tried.write('Makefile', 'test:\n\t@node --test sum.test.mjs\n')
    const { exitCode, stdout } = await tried.gate('--agent', 'none')
    return { exitCode, stdout }
  }
  const idle = await gates('make test')
  expect(idle).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("By its output nothing was run: `make: 'test' is up to date.`"),
  })
  const none = await gates("node --test 'nothing/*' || true")
  expect(none.stdout).toMatch(/By its output no test was executed|no test was seen to run/)
  const fileAlone = await gates('touch a.test.mjs && node --test a.test.mjs')
  expect(fileAlone).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('By its output no test was executed'),
  })
  const unknown = await gates('true')
  expect(unknown).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Concern: test: no test was seen to run; name `runner` or `junit`, as in '),
  })
  expect(await gates('true', { tests: 'required' })).toMatchObject({ exitCode: 1 })
  const written = (text: string) => `printf '${text}' >report.xml`
  for (const [command, why] of [
    ['true', '`report.xml`, is missing'],
    [written('<testsuite><testcase name="a"/>'), '`report.xml`, is invalid or incomplete'],
    [
      `${written('<testsuite><testcase name="a"/></testsuite>')}; touch -d 2020-01-01 report.xml`,
      'is from an earlier run',
    ],
    [written('<testsuite name="s" errors="1"><testcase name="a"/></testsuite>'), 'its output reports 1 failed'],
  ]) {
    const reported = await gates({ command, junit: 'report.xml' })
    expect(reported, command).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(String(why)) })
  }
})
