import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from '../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { useShells } from '../../support/use-shells.ts'
import { isAlive } from '../process/use-fixtures.ts'
import type { Shell } from '../../../src/system/shell/open-shell.ts'
import type { ShellOptions, ShellRunOptions } from '../../../src/system/shell/open-shell-result.ts'

const openShell = useShells()

interface Fixture {
  readonly shell: Shell
  readonly cwd: string
  readonly tempDir: string
  run(code: string, options?: Partial<ShellRunOptions>): ReturnType<Shell['run']>
  /** The merged output of code that must come to its end. */
  output(code: string, options?: Partial<ShellRunOptions>): Promise<string>
}

function open(options: Partial<ShellOptions> = {}): Fixture {
  const { shell, cwd, tempDir } = openShell(options)
  const run: Fixture['run'] = (code, runOptions) =>
    shell.run(code, { timeoutMs: 120_000, streams: 'merged', ...runOptions })
  const output: Fixture['output'] = async (code, runOptions) => {
    const result = await run(code, runOptions)
    expect(result).toMatchObject({ status: 'done' })
    return result.stdout
  }
  return { shell, cwd, tempDir, run, output }
}

async function isGone(pid: number): Promise<boolean> {
  for (let round = 0; round < 3000 && isAlive(pid); round += 1) await sleep(20)
  return !isAlive(pid)
}

describe('state', () => {
  test('lasts from run to run', async () => {
    const { output } = open()
    await output('X=1; A=(a "b c"); f() { echo "f $1"; }; alias ll="echo aliased"; cd /; set -u; declare -A m=([k]=v)')
    expect(await output('echo "$X ${A[1]} ${m[k]}"; f 2; ll; pwd; echo $-')).toBe('1 b c v\nf 2\naliased\n/\nhuBc\n')
  })

  test('holds the exit code of the run before in $?', async () => {
    const { run, output } = open()
    expect(await run('(exit 7)')).toMatchObject({ status: 'done', exitCode: 7 })
    expect(await output('echo $?')).toBe('7\n')
    expect(await output('echo $?')).toBe('0\n')
  })

  test('keeps descriptors that the code opens, also 3 and 4', async () => {
    const { output } = open()
    await output('exec 3>three 4>four')
    await output('echo a >&3; echo b >&4')
    expect(await output('cat three four')).toBe('a\nb\n')
  })

  test('survives many runs in order', async () => {
    const { run, shell } = open()
    await run('n=0')
    const results = await Promise.all(Array.from({ length: 50 }, () => run('n=$((n+1)); echo $n')))
    expect(results.map(({ stdout }) => Number(stdout))).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    await shell.close()
  })

  test('shows nothing of the driver to the code and its children', async () => {
    const { output } = open()
    expect(await output('compgen -v | grep __mdtest; env | grep __mdtest; declare -F')).toBe('')
    expect(
      await output('bash -c "for fd in 199 198 197 10 11 12; do (: >&\\$fd) 2>/dev/null && echo open; done; :"'),
    ).toBe('')
  })

  test('lets cwd and env hold for one run only', async () => {
    const { run, output, cwd } = open()
    await output('mkdir sub; export B=before; unset C')
    expect(await output('pwd; echo "$A|$B|$C"', { cwd: join(cwd, 'sub'), env: { A: "it's", B: 'x\ny', C: '' } })).toBe(
      `${cwd}/sub\nit's|x\ny|\n`,
    )
    expect(await output('echo more $A', { continues: true })).toBe("more it's\n")
    expect(await output('pwd; echo "${A-unset} $B ${C-unset}"; export -p | grep -c B=')).toBe(
      `${cwd}\nunset before unset\n1\n`,
    )
    expect(await run('exit 3', { cwd: join(cwd, 'sub'), env: { A: '1' } })).toMatchObject({ exitCode: 3 })
    expect(await output('pwd; echo "${A-unset}"')).toBe(`${cwd}\nunset\n`)
  })

  test('refuses a directory or a variable that cannot be set', async () => {
    const { run, output } = open()
    await output('readonly R=1')
    expect(await run('echo ran', { env: { R: '2' } })).toMatchObject({ status: 'refused', stdout: '' })
    expect(await run('echo ran', { cwd: '/does/not/exist' })).toMatchObject({ status: 'refused', stdout: '' })
    expect(await run('echo ran', { env: { 'a-b': '2' } })).toMatchObject({ status: 'refused', stdout: '' })
    expect(await output('echo $R')).toBe('1\n')
  })
})

describe('the end of the shell', () => {
  test('by exit gives the exit code and restores the state', async () => {
    const { run, output } = open()
    await output('X=1; A=(a "b c"); export E=e; unset LANG; readonly R=r; f() { echo f; }; alias ll="echo aliased"')
    await output('cd /; set -u; shopt -s extglob; umask 027; set -- p "q r"; trap "echo usr1" USR1')
    expect(await run("Y=$'new\\n line'; exit 42; echo no")).toMatchObject({ status: 'done', exitCode: 42, stdout: '' })
    expect(await output('echo "$? $X $Y ${A[1]} $R ${LANG-unset}"; f; ll; pwd; umask; echo $- $2; kill -USR1 $$')).toBe(
      '42 1 new\n line b c r unset\nf\naliased\n/\n0027\nhuBc q r\nusr1\n',
    )
    expect(await output('env | grep ^E=; echo @(a|b)')).toBe('E=e\n@(a|b)\n')
  })

  test('by set -e gives the exit code', async () => {
    const { run, output } = open()
    expect(await run('X=1; set -e; echo a; (exit 4); echo b')).toMatchObject({ exitCode: 4, stdout: 'a\n' })
    expect(await run('false')).toMatchObject({ status: 'done', exitCode: 1 })
    expect(await output('echo "$? $X"; set +e; false; echo b')).toBe('1 1\nb\n')
  })

  test('runs an EXIT trap of the code once, with its output and $?', async () => {
    const { run, output } = open()
    expect(await run('X=1; trap \'echo "bye $?"\' EXIT\nexit 3')).toMatchObject({ exitCode: 3, stdout: 'bye 3\n' })
    expect(await run('echo $X; trap \'echo "in $(echo f)" >&2; exit 9\' EXIT; f() { exit 3; }; f')).toMatchObject({
      exitCode: 9,
      stdout: '1\nin f\n',
    })
    expect(await output('echo "$? $X"; ( trap "echo sub" EXIT ); trap - EXIT')).toBe('9 1\nsub\n')
    expect(await run('exit 0')).toMatchObject({ exitCode: 0, stdout: '' })
  })

  test('by close runs an EXIT trap', async () => {
    const { shell, output, cwd } = open()
    await output('trap "touch closed" EXIT')
    await shell.close()
    expect(readdirSync(cwd)).toEqual(['closed'])
  })

  test('by exec gives the exit code of the program and loses later runs', async () => {
    const { run } = open()
    expect(await run('exec sh -c "echo program; exit 5"')).toMatchObject({ exitCode: 5, stdout: 'program\n' })
    expect(await run('echo later')).toMatchObject({
      status: 'lost',
      message: expect.stringContaining('exec'),
      stdout: '',
    })
  })

  test('by a signal loses this run and later ones', async () => {
    const { run } = open()
    expect(await run('echo a; kill -9 $$; echo b')).toMatchObject({ status: 'lost', stdout: 'a\n' })
    expect(await run('echo later')).toMatchObject({ status: 'lost', stdout: '' })
  })

  test('does not come from a stray break, continue or return', async () => {
    const { run, output } = open()
    await output('X=1')
    for (const code of ['echo a; break; echo b', 'echo a; continue; echo b', 'echo a; break 9; echo b']) {
      expect(await run(code)).toMatchObject({ status: 'refused', stdout: 'a\n' })
    }
    expect(await output('return 3; echo $X')).toContain('1\n')
  })
})

describe('input and output', () => {
  test('gives commands no input', async () => {
    const { output } = open()
    expect(await output('read x; echo "$? [$x]"; cat; echo end')).toBe('1 []\nend\n')
    expect(await output('echo next')).toBe('next\n')
  })

  test('keeps the order of merged streams and splits separate ones', async () => {
    const { output, run } = open()
    const code = 'for i in 1 2 3; do echo out$i; echo err$i >&2; done; echo dev >/dev/stderr; echo dev >/dev/stdout'
    expect(await output(code)).toBe('out1\nerr1\nout2\nerr2\nout3\nerr3\ndev\ndev\n')
    expect(await run(code, { streams: 'separate' })).toMatchObject({
      stdout: 'out1\nout2\nout3\ndev\n',
      stderr: 'err1\nerr2\nerr3\ndev\n',
    })
  })

  test('takes much, binary and unfinished output', async () => {
    const { output } = open()
    expect(await output('head -c 3000000 /dev/zero | tr "\\0" x')).toBe('x'.repeat(3_000_000))
    expect(await output('printf "a\\0b\\377"')).toBe('a\0b\uDCFF')
    expect(await output('echo ünïcödé 日本 🎉')).toBe('ünïcödé 日本 🎉\n')
  })

  test('stops a command that writes more than 10 MiB', async () => {
    const { run } = open()
    const result = await run('yes')
    expect(result).toMatchObject({ status: 'too-much-output', limitBytes: 10 * 1024 * 1024 })
    expect(result.stdout).toHaveLength(10 * 1024 * 1024)
    expect(await run('echo later')).toMatchObject({ status: 'lost' })
  })

  test('counts lines of messages from the first line of the code', async () => {
    const { output } = open()
    await output('echo one')
    expect(await output('nope1\nnope2; echo $LINENO')).toBe(
      'bash: line 1: nope1: command not found\nbash: line 2: nope2: command not found\n2\n',
    )
  })

  test('reports a syntax error with status 2 and goes on', async () => {
    const { run, output } = open()
    for (const code of ['echo "open', 'if true', 'echo )', "echo 'open"]) {
      const result = await run(code)
      expect(result).toMatchObject({ status: 'done', exitCode: 2 })
      expect(result.stdout).toMatch(/^bash: .*(syntax error|unexpected)/)
    }
    expect(await output('cat <<X\na $((1+1))\nX\necho b')).toBe('a 2\nb\n')
    expect(await output('cat <<X\nopen')).toContain('open\n')
  })

  test('refuses NUL', async () => {
    const { run } = open()
    expect(await run('echo a\0b')).toMatchObject({ status: 'refused', message: expect.stringContaining('NUL') })
  })

  test('gives any text back as it was', async () => {
    const { output } = open()
    const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((value) => !value.includes('\0'))
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const quoted = `'${value.replaceAll("'", `'\\''`)}'`
        expect(await output(`printf %s ${quoted}`)).toBe(value)
        expect(await output(`eval "printf %s $(printf %q ${quoted})"`)).toBe(value)
      }),
    )
  })
})

describe('processes', () => {
  test('in the background neither hold up a run nor write into the next nor survive close', async () => {
    const { output, shell } = open()
    const pid = Number(await output('(sleep 0.1; echo late; sleep 60) & echo $!'))
    expect(await output('sleep 0.3; echo next')).toBe('next\n')
    expect(isAlive(pid)).toBe(true)
    await shell.close()
    expect(await isGone(pid)).toBe(true)
  })

  test('go on in the background after exit, until close', async () => {
    const { run, output, shell } = open()
    const pid = Number((await run('sleep 60 & echo $!; exit 1')).stdout)
    expect(await output('echo next')).toBe('next\n')
    expect(isAlive(pid)).toBe(true)
    await shell.close()
    expect(await isGone(pid)).toBe(true)
  })

  test('are ended when a run takes too long', async () => {
    const { run } = open()
    const result = await run('sleep 60 & echo $! $$; trap "" TERM; sleep 60', { timeoutMs: 300 })
    expect(result).toMatchObject({ status: 'timeout', timeoutMs: 300 })
    // bash may still report on the second line that the `sleep` was terminated.
    const pids = result.stdout.split('\n', 1).flatMap((line) => line.split(' ').map(Number))
    expect(pids).toHaveLength(2)
    for (const pid of pids) expect(await isGone(pid)).toBe(true)
    expect(await run('echo later')).toMatchObject({ status: 'lost', message: expect.stringContaining('300 ms') })
  })

  test('carry the mark, after the marks of an outer run', async () => {
    const { output } = open({ env: { PATH: process.env.PATH ?? '', MDTEST_MARKS: 'outer' } })
    expect(await output('sh -c "echo \\$MDTEST_MARKS"')).toMatch(/^outer:[\w-]{30,}\n$/)
  })

  test('are announced as they start', async () => {
    const pids = new Set<number>()
    const { output, run, shell } = open({ onSpawn: (pid) => pids.add(pid) })
    expect(pids.size).toBe(0)
    await output('echo a')
    await run('exit 1')
    await output('echo b')
    await shell.close()
    expect(pids.size).toBe(2)
  })

  test('leave no files behind and answer nothing after close', async () => {
    const { run, output, shell, tempDir } = open()
    await run('sleep 60 & trap "echo x" EXIT; exit 1', { env: { A: '1' } })
    await output('echo $A')
    await shell.close()
    await shell.close()
    expect(readdirSync(tempDir)).toEqual([])
    expect(await run('echo later')).toMatchObject({ status: 'lost', message: 'The shell was closed.' })
  })

  test('do not keep the caller alive, nor outlive it', async () => {
    const script = `
      const { openShell } = await import(${JSON.stringify(new URL('../../../.cache/compiled/system/shell/open-shell.js', import.meta.url))})
      const { startLauncher } = await import(${JSON.stringify(new URL('../../../.cache/compiled/system/process/launcher/launcher.js', import.meta.url))})
      const launcher = startLauncher({ runMark: 'none', socketPath: process.argv[1] + '/socket' })
      await launcher.ready
      const { address } = launcher
      const shell = openShell({ launcher: address, cwd: '/', env: { PATH: process.env.PATH }, tempDir: process.argv[1] })
      const { stdout } = await shell.run('sleep 60 & echo $! $$', { timeoutMs: 120_000, streams: 'merged' })
      console.log(stdout)`
    const tempDir = mkdtempSync(join(tmpdir(), 'mdtest-shell-temp-'))
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script, tempDir], { encoding: 'utf8' })
    expect(child).toMatchObject({ signal: null, status: 0, stderr: '' })
    expect(await isGone(Number(child.stdout.split(' ')[0]))).toBe(true)
    rmSync(tempDir, { recursive: true })
  })
})

describe('without what it needs', () => {
  test('names the missing bash', async () => {
    const { run } = open({ env: { PATH: '/does/not/exist' } })
    expect(await run('echo a')).toMatchObject({ status: 'lost', message: expect.stringContaining('`bash`') })
  })

  test('says that the directory is missing', async () => {
    const { run } = open({ cwd: '/does/not/exist' })
    expect(await run('echo a')).toMatchObject({
      status: 'lost',
      message: expect.stringContaining('no directory `/does'),
    })
  })
})
