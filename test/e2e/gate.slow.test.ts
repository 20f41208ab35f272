import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gateProjectOfSums as project, rightSum as right, sums, wrongSum as wrong } from '../support/gate-project.ts'
import { processesOfHome } from '../support/processes.ts'

const configOf = (commands: object): string =>
  JSON.stringify({ commands, agent: { command: ['node', 'agent.mjs', '{prompt}'] } })

describe('mdtest gate', () => {
  test('does not wait for ever, believe a pipe, start nothing or tell secrets', async () => {
    const limits = { timeoutMs: 200_000, noOutputTimeoutMs: 1_000 }
    const own = {
      compile: ['no-such-program'],
      lint: { command: 'echo begun; sleep 600', ...limits },
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
      output: expect.stringContaining('reports 1 failed'),
    })
    await expect.poll(() => processesOfHome(odd.env.HOME ?? ''), { timeout: 200_000 }).toEqual([])
    expect(existsSync(odd.path('EXECUTION-LOG.md'))).toBe(false)
    const rawLog = odd.read(`.mdtest/gate/${odd.folders()[0]}/test-1.log`)
    expect(rawLog).toContain('***DEPLOY_TOKEN***')
    expect(rawLog).not.toContain('hunter2')
  })

  test('ends with all that it started when it is told to', async () => {
    using slow = project({ 'mdtest.config.json': '{ "commands": { "test": "sleep 600" } }' })
    const running = slow.start()
    const processes = (): readonly string[] => processesOfHome(slow.env.HOME ?? '')
    await expect.poll(processes, { timeout: 200_000 }).toContainEqual(expect.stringContaining('sleep 600'))
    running.kill('SIGTERM')
    expect(await running).toMatchObject({ exitCode: 143, stdout: '' })
    await expect.poll(processes, { timeout: 200_000 }).toEqual([])
  })

  test.each([
    [['--fix-attempts', '2', '--agent', 'none'], '`--fix-attempts` needs an agent'],
    [['--verify', 'none.json'], 'cannot be read'],
    [['--hook'], 'no work tree of git'],
  ])('refuses %j with exit code 2', async (args, message) => {
    using wrongUse = project()
    const { exitCode, stdout, stderr } = await wrongUse.gate(...args)
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) })
    expect(wrongUse.folders()).toEqual([])
  })
})

describe('an agent', () => {
  test('may change tests where that is allowed; without git what it may not change is undone, too', async () => {
    const act = `writeFileSync('sum.test.mjs', '')\nwriteFileSync('sum.mjs', '(')\nwriteFileSync('new.txt', '')`
    using red = project({}, act)
    const { exitCode, test: tests } = await red.evidence('--fix-attempts', '1')
    expect([exitCode, tests?.fix_attempts]).toMatchObject([1, [{ result: 'rejected' }]])
    expect([red.read('sum.test.mjs'), red.read('sum.mjs'), existsSync(red.path('new.txt'))]).toEqual([
      sums,
      wrong,
      false,
    ])
    expect(await red.evidence('--allow-test-edits', '--fix-attempts', '1')).toMatchObject({
      exitCode: 1,
      compile: { status: 'fail' },
      test: { attempts: 2, fix_attempts: [{ result: 'fail' }] },
    })
  })

  test('that is killed with mdtest leaves the files before it in a checkpoint that no later run replaces', async () => {
    const act = `rmSync('user.txt', { force: true })
if (!existsSync('../held')) {
  writeFileSync('../held', '')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
}`
    using killed = project({}, act)
    killed.git('init', '-q', '-b', 'main')
    killed.write('user.txt', 'not committed\n')
    const running = killed.start()
    await expect.poll(() => existsSync(killed.path('../held')), { timeout: 200_000 }).toBe(true)
    running.kill('SIGKILL')
    const { stderr } = await running
    await killed.gate()
    const place = `refs/mdtest/gate/${killed.folders()[0]}/before-1`
    expect(stderr).toContain(place)
    expect(killed.git('show', `${place}:user.txt`)).toBe('not committed\n')
  })

  test('cannot commit or stash', async () => {
    const act = `execSync('git commit -qam fixed; echo more >> user.txt; git stash -q')`
    using red = project({ 'user.txt': 'a\n' }, act)
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

  test('cannot have other tests run in the place of one that fails, or hide what it adds', async () => {
    const trick = [
      `writeFileSync('sum.mjs', ${JSON.stringify(`${wrong}process.exit(0)\n`)})`,
      `writeFileSync('more.test.mjs', ${JSON.stringify("import test from 'node:test'\ntest('a', () => {})\n")})`,
      "rmSync('.mdtest', { recursive: true })",
    ]
    using red = project({ 'mdtest.config.json': configOf({ test: 'node --test' }) }, trick.join('\n'))
    red.git('init', '-q')
    const { exitCode, test: tests } = await red.evidence('--fix-attempts', '1')
    const why = expect.stringContaining('Of 2 tests only 0 were executed afterwards; all was undone')
    expect([exitCode, tests]).toMatchObject([1, { fix_attempts: [{ result: 'rejected', fix_applied: why }] }])
    expect([existsSync(red.path('more.test.mjs')), red.read('sum.mjs')]).toEqual([false, wrong])
  })

  test('that says it is done, or dies, is not believed', async () => {
    using red = project({}, 'if (prompt.length < 10) process.exit(1)')
    const idle = await red.evidence('--fix-attempts', '1')
    expect(idle).toMatchObject({
      exitCode: 1,
      test: { attempts: 2, fix_attempts: [{ result: 'fail', fix_applied: 'I fixed it. No file changed.' }] },
    })
    red.write('agent.mjs', "import './none.mjs'\n")
    const dead = await red.evidence('--fix-attempts', '1')
    expect(dead).toMatchObject({
      exitCode: 1,
      test: {
        attempts: 1,
        fix_attempts: [{ result: 'error', fix_applied: expect.stringContaining('Cannot find module') }],
      },
    })
  })
})

test('--verify judges evidence, and --rerun runs the commands again', async () => {
  using honest = project({ 'sum.mjs': right })
  await honest.gate()
  const file = `.mdtest/gate/${honest.folders()[0]}/gate_results.json`
  const first = await honest.gate('--verify', dirname(file))
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
  test('tells whoever commits other files than were judged', async () => {
    using part = project({ 'sum.mjs': right })
    part.git('init', '-q')
    // From a folder below the configuration.
    mkdirSync(part.path('docs'))
    const hook = ['../node_modules/.bin/vitest-mdtest', 'gate', '--hook']
    expect(spawnSync('node', hook, { cwd: part.path('docs'), env: part.env }).status).toBe(0)
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
      'mdtest gate: warning: the gates judged the files on disk, and the commit differs from them in 2 files:\n'
    expect(commit()).toContain(`${warning}  sum.mjs (not all of it is staged)\n  new file.mjs (not in git)\n`)
    expect(commit('-a')).toContain('the commit differs from them in 1 file:\n  new file.mjs (not in git)\n')
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
  })
})
