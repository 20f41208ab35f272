import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createGateProject } from '../support/gate-project.ts'
import { processesOfHome } from '../support/processes.ts'

const sums = `import test from 'node:test'
import assert from 'node:assert'
import { sum } from './sum.mjs'
test('adds', () => assert.strictEqual(sum(1, 2), 3))
test('adds none', () => assert.strictEqual(sum(0, 0), 0))
`
const wrong = 'export const sum = (a, b) => a - b\n'
const right = 'export const sum = (a, b) => a + b\n'
const commands = { compile: 'node --check sum.mjs', lint: null, test: 'node --test sum.test.mjs' }

/** An agent that does what a module of the project says, and answers. */
const agent = ['node', 'agent.mjs', '{prompt}']
const config = (more: object = {}): string => JSON.stringify({ commands, agent: { command: agent }, ...more })
const says = (act: string): string =>
  `import { readFileSync, writeFileSync } from 'node:fs'\nconst prompt = process.argv[2]\n${act}\nconsole.log(JSON.stringify({ fix_applied: 'I fixed it.' }))\n`
const project = (more: Readonly<Record<string, string>> = {}): ReturnType<typeof createGateProject> =>
  createGateProject({ 'mdtest.config.json': config(), 'sum.mjs': wrong, 'sum.test.mjs': sums, ...more })

describe('mdtest gate', () => {
  test('runs all gates, keeps what they printed and blocks on red', async () => {
    using red = project({ 'EXECUTION-LOG.md': '# Log\n\nMine.\n', '.planning/plan.md': '' })
    const { exitCode, stdout, stderr } = await red.gate('--agent', 'none')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('Compile: PASS (command: node --check sum.mjs, exit_code: 0)\nLint: SKIPPED\nTest: FAIL (')
    expect(stdout).toContain('adds (sum.test.mjs:4)')
    expect(stderr).toContain('mdtest gate: test: node --test sum.test.mjs\n')
    const [folder = ''] = red.folders()
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

  test('does not wait for ever, believe a pipe, start nothing or tell secrets', async () => {
    const limits = { timeoutMs: 60_000, noOutputTimeoutMs: 1_000 }
    const own = {
      compile: ['no-such-program'],
      lint: { command: 'echo begun; sleep 60', ...limits },
      test: 'node --test sum.test.mjs | tee out.log; echo $DEPLOY_TOKEN',
    }
    using odd = project({ 'mdtest.config.json': JSON.stringify({ commands: own, executionLog: true }) })
    const { exitCode, compile, lint, test: tests } = await odd.evidence('--no-execution-log')
    expect(exitCode).toBe(1)
    expect(compile).toMatchObject({
      status: 'fail',
      exit_code: null,
      output: expect.stringContaining('no-such-program'),
    })
    expect(lint).toMatchObject({
      status: 'fail',
      exit_code: null,
      output: expect.stringMatching(/^mdtest: It printed nothing for 1000 ms and was ended\.\n/),
    })
    expect(tests).toMatchObject({
      status: 'fail',
      exit_code: 0,
      fail_count: 1,
      output: expect.stringContaining('tells of 1 failed'),
    })
    await expect.poll(() => processesOfHome(odd.env.HOME ?? ''), { timeout: 20_000 }).toEqual([])
    expect(existsSync(odd.path('EXECUTION-LOG.md'))).toBe(false)
    const rawLog = odd.read(`.mdtest/gate/${odd.folders()[0]}/test-1.log`)
    expect(rawLog).toContain('***DEPLOY_TOKEN***')
    expect(rawLog).not.toContain('hunter2')
  })

  test('ends with all that it started when it is told to', async () => {
    using slow = project({ 'mdtest.config.json': '{ "commands": { "test": "sleep 600" } }' })
    const running = slow.start()
    const processes = (): readonly string[] => processesOfHome(slow.env.HOME ?? '')
    await expect.poll(processes, { timeout: 20_000 }).toContainEqual(expect.stringContaining('sleep 600'))
    running.kill('SIGTERM')
    expect(await running).toMatchObject({ exitCode: 143, stdout: '' })
    await expect.poll(processes, { timeout: 20_000 }).toEqual([])
  })

  test.each([
    [['--config', 'none.json'], 'There is no file'],
    [['--fix-attempts', '2', '--agent', 'none'], '`--fix-attempts` needs an agent'],
    [['--agent', 'codex'], '`codex` is not an executable file on PATH'],
    [['--verify', 'none.json'], 'cannot be read'],
    [['--hook'], 'no work tree of git'],
  ])('refuses %j with exit code 2', async (args, message) => {
    using wrongUse = project({ 'bin/x': '' })
    const { exitCode, stdout, stderr } = await wrongUse.gate(...args)
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) })
    expect(wrongUse.folders()).toEqual([])
  })
})

describe('an agent', () => {
  test('fixes what is red at the second attempt, and is told what failed', async () => {
    const act = `writeFileSync(\`\${process.env.HOME}/prompt.txt\`, prompt)\nwriteFileSync('sum.mjs', readFileSync('sum.mjs', 'utf8').includes('a - b') ? 'export const sum = (\\n' : ${JSON.stringify(right)})`
    using red = project({ 'agent.mjs': says(act) })
    const { exitCode, compile, test: tests } = await red.evidence()
    expect(exitCode).toBe(0)
    expect(compile?.status).toBe('pass')
    expect(tests).toMatchObject({ status: 'pass', attempts: 3 })
    expect(tests?.fix_attempts).toEqual([
      {
        what_failed: 'test (1 failed: adds)',
        fix_applied: 'I fixed it. Changed: sum.mjs.',
        result: 'fail',
        changed: ['sum.mjs'],
        left_out: [],
      },
      {
        what_failed: expect.stringMatching(/^compile \(exit code 1\); test \(/),
        fix_applied: expect.any(String),
        result: 'pass',
        changed: ['sum.mjs'],
        left_out: [],
      },
    ])
    expect(red.read('../home/prompt.txt')).toMatch(
      /## compile\n\nCommand: node --check sum\.mjs\nIt ended with exit code 1\./,
    )
    expect(red.read(`.mdtest/gate/${red.folders()[0]}/test-3.log`)).toContain('pass 2')
  })

  test.each(['in git', 'without git'])('cannot turn tests green by changing them, %s', async (where) => {
    const act = `writeFileSync('sum.test.mjs', '')\nwriteFileSync('sum.mjs', '(')\nwriteFileSync('new.txt', '')`
    using red = project({ 'agent.mjs': says(act), 'user.txt': 'not committed\n' })
    if (where === 'in git') red.git('init', '-q')
    const { exitCode, test: tests } = await red.evidence()
    expect(exitCode).toBe(1)
    const rejected = {
      result: 'rejected',
      fix_applied: expect.stringMatching(/^It changed sum\.test\.mjs; all was undone and is kept in /),
    }
    expect(tests).toMatchObject({ status: 'fail', attempts: 1, fix_attempts: [rejected, rejected] })
    expect([red.read('sum.test.mjs'), red.read('sum.mjs'), red.read('user.txt')]).toEqual([
      sums,
      wrong,
      'not committed\n',
    ])
    expect(existsSync(red.path('new.txt'))).toBe(false)
    const allowed = await red.evidence('--allow-test-edits', '--fix-attempts', '1')
    expect(allowed).toMatchObject({
      exitCode: 1,
      compile: { status: 'fail' },
      test: { attempts: 2, fix_attempts: [{ result: 'fail' }] },
    })
  })

  test('cannot commit or stash', async () => {
    const act = `execSync('git commit -qam fixed; echo more >> user.txt; git stash -q')`
    using red = project({
      'agent.mjs': `import { execSync } from 'node:child_process'\n${says(act)}`,
      'user.txt': 'a\n',
    })
    red.git('init', '-q', '-b', 'main')
    red.git('add', '-A')
    red.git('commit', '-qm', 'first')
    red.write('user.txt', 'not committed\n')
    const head = red.git('rev-parse', 'HEAD')
    const { test: tests } = await red.evidence('--fix-attempts', '1', '--no-execution-log')
    expect(tests?.fix_attempts).toMatchObject([
      {
        result: 'rejected',
        fix_applied: expect.stringMatching(/^It changed refs\/heads\/main, refs\/stash; all was undone/),
      },
    ])
    expect(red.read('user.txt')).toBe('not committed\n')
    expect([red.git('rev-parse', 'HEAD'), red.git('status', '--short'), red.git('stash', 'list')]).toEqual([
      head,
      ' M user.txt\n',
      '',
    ])
  })

  test('cannot drop tests that stand in the code', async () => {
    const code = sums.replace("import { sum } from './sum.mjs'", wrong)
    const fewer = code.replace("test('adds',", "test.skip('adds',")
    const own = { commands: { test: 'node --test code.mjs' }, agent: { command: agent } }
    using red = createGateProject({
      'mdtest.config.json': JSON.stringify(own),
      'code.mjs': code,
      'agent.mjs': says(`writeFileSync('code.mjs', ${JSON.stringify(fewer)})`),
    })
    const { exitCode, test: tests } = await red.evidence('--fix-attempts', '1')
    expect(exitCode).toBe(1)
    const why = expect.stringContaining('Of 2 tests only 1 were executed afterwards; all was undone')
    expect(tests).toMatchObject({
      status: 'fail',
      attempts: 2,
      fix_attempts: [{ result: 'rejected', fix_applied: why }],
    })
    expect(red.read('code.mjs')).toBe(code)
  })

  test('cannot have other tests run in the place of one that fails, or hide what it adds', async () => {
    const trick = [
      `writeFileSync('sum.mjs', ${JSON.stringify(`${wrong}process.exit(0)\n`)})`,
      `writeFileSync('more.test.mjs', ${JSON.stringify("import test from 'node:test'\ntest('a', () => {})\n")})`,
      "rmSync('.mdtest', { recursive: true })",
    ]
    using red = project({
      'mdtest.config.json': JSON.stringify({ commands: { test: 'node --test' }, agent: { command: agent } }),
      'agent.mjs': says(trick.join('\n')).replace('import { ', 'import { rmSync, '),
    })
    red.git('init', '-q')
    const { exitCode, test: tests } = await red.evidence('--fix-attempts', '1')
    const why = expect.stringContaining('Of 2 tests only 1 were executed afterwards; all was undone')
    expect([exitCode, tests]).toMatchObject([1, { fix_attempts: [{ result: 'rejected', fix_applied: why }] }])
    expect([existsSync(red.path('more.test.mjs')), red.read('sum.mjs')]).toEqual([false, wrong])
  })

  test('that says it is done, or dies, is not believed', async () => {
    using red = project({ 'agent.mjs': says('if (prompt.length < 10) process.exit(1)') })
    const idle = await red.evidence('--fix-attempts', '1')
    expect(idle).toMatchObject({
      exitCode: 1,
      test: { attempts: 2, fix_attempts: [{ result: 'fail', fix_applied: 'I fixed it. No file changed.' }] },
    })
    red.write('agent.mjs', 'process.exit(3)\n')
    const dead = await red.evidence('--fix-attempts', '1')
    expect(dead).toMatchObject({ exitCode: 1, test: { attempts: 1, fix_attempts: [{ result: 'error' }] } })
  })
})

test('--verify judges evidence, and --rerun runs the commands again', async () => {
  using honest = project({ 'sum.mjs': right })
  await honest.gate()
  const file = `.mdtest/gate/${honest.folders()[0]}/gate_results.json`
  const first = await honest.gate('--verify', file)
  expect({ exitCode: first.exitCode, ...JSON.parse(first.stdout) }).toEqual({
    exitCode: 0,
    pass: true,
    gate_validation: { compile: 'pass', lint: 'skipped', test: 'pass' },
    concerns: [],
  })
  honest.write('sum.mjs', wrong)
  const second = await honest.gate('--verify', file, '--rerun')
  expect({ exitCode: second.exitCode, ...JSON.parse(second.stdout) }).toMatchObject({
    exitCode: 1,
    pass: false,
    gate_validation: { test: 'fail' },
    concerns: ['test: claimed pass, run again it failed (exit code 1).'],
  })
  honest.write('claim.json', '{ "gate_results": { "test": { "status": "green" } } }')
  const third = await honest.gate('--verify', 'claim.json')
  expect({ exitCode: third.exitCode, ...JSON.parse(third.stdout) }).toMatchObject({
    exitCode: 1,
    pass: false,
    concerns: [expect.stringContaining('`gate_results.test.status`')],
  })
})

describe('the hook', () => {
  test('refuses a commit with red tests, and goes without a trace', async () => {
    using red = project()
    red.git('init', '-q')
    const users = '#!/bin/sh\necho of the user > hook-ran\nexit 0\n'
    red.write('.git/hooks/pre-commit', users)
    expect(await red.gate('--hook')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('.git/hooks/pre-commit runs'),
    })
    red.git('add', '-A')
    expect(() => red.git('commit', '-qm', 'red')).toThrow('Test: FAIL')
    expect(existsSync(red.path('hook-ran'))).toBe(false)
    red.git('commit', '-qm', 'wanted', '--no-verify')
    red.write('sum.mjs', right)
    red.git('commit', '-qam', 'green')
    expect(red.git('log', '--format=%s')).toBe('green\nwanted\n')
    expect(red.read('hook-ran')).toBe('of the user\n')
    expect(red.git('status', '--short')).toBe('?? hook-ran\n')
    expect(await red.gate('--hook', '--remove')).toMatchObject({ exitCode: 0 })
    expect(red.read('.git/hooks/pre-commit')).toBe(users)
    expect(statSync(red.path('.git/hooks/pre-commit')).mode & 0o777).toBe(0o755)
    expect((await red.gate('--hook', '--remove')).stdout).toContain('did not run the gates')
  })

  test('of Husky is a file that is not executable; whoever commits other files than were judged is told', async () => {
    using part = project({ 'sum.mjs': right, '.husky/pre-commit': 'echo of the user\n' })
    // As Husky does it: hooks of its own start those of the user.
    part.write('.husky/_/pre-commit', '#!/bin/sh\nsh -e "$(dirname "$0")/../pre-commit" "$@"\n')
    part.git('init', '-q')
    part.git('config', 'core.hooksPath', '.husky/_')
    await part.gate('--hook')
    part.git('add', '-A')
    const commit = (...args: string[]): string => {
      const { status, stderr } = spawnSync('git', ['commit', '-qm', 'x', ...args], { cwd: part.dir, env: part.env })
      return `${status} ${stderr}`
    }
    expect(commit()).toMatch(/^0 (?![^]*warning)/)
    part.write('sum.mjs', `${right}// Staged.\n`)
    part.git('add', '-A')
    part.write('sum.mjs', wrong)
    part.write('new file.mjs', '')
    expect(commit()).toMatch(/^1 /)
    part.write('sum.mjs', right)
    const warning =
      'mdtest gate: warning: the gates judged the files as they are, and 2 files will not be committed so:\n'
    expect(commit()).toContain(`${warning}  sum.mjs (not all of it is staged)\n  new file.mjs (not in git)\n`)
    expect(commit('-a')).toContain('1 file will not be committed so:\n  new file.mjs (not in git)\n')
    await part.gate('--hook', '--remove')
    expect(part.read('.husky/pre-commit')).toBe('echo of the user\n')
  })

  test('is where git looks: `core.hooksPath`, a linked work tree, a folder of the project', async () => {
    using own = project({
      'app/mdtest.config.json': '{ "commands": { "test": "pwd > ran; env | grep ^GIT_INDEX_FILE >> ran; true" } }',
    })
    own.git('init', '-q')
    own.git('add', '-A')
    own.git('commit', '-qm', 'first')
    own.git('config', 'core.hooksPath', '.githooks')
    await own.gate('--hook', '--dir', 'app')
    expect(own.read('.githooks/pre-commit')).not.toContain(own.dir)
    own.git('config', '--unset', 'core.hooksPath')
    own.git('worktree', 'add', '-q', '../linked')
    await own.gate('--hook', '--dir', '../linked/app')
    expect(own.read('.git/hooks/pre-commit')).toContain("cd 'app'")
    own.git('-C', '../linked', 'commit', '-q', '--allow-empty', '-m', 'x')
    expect(own.read('../linked/app/ran')).toBe(`${own.path('../linked/app')}\n`)
    own.git('config', 'core.hooksPath', '/tmp/hooks-of-all')
    expect(await own.gate('--hook')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('leads out of the repository'),
    })
    own.git('config', '--unset', 'core.hooksPath')
    own.write('.git/hooks/pre-commit', '#!/usr/bin/env python3\n')
    expect(await own.gate('--hook')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is no shell script'),
    })
  })
})
