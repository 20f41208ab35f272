import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useLauncher } from '../../support/use-launcher.ts'
import { openShell, type Shell } from '../../../src/system/shell/open-shell.ts'
import type { ShellRunOptions } from '../../../src/system/shell/open-shell-result.ts'

const launcher = useLauncher()

let cwd: string
let tempDir: string
let shell: Shell

function open(canRecover: boolean): Shell {
  return openShell({ launcher, cwd, env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' }, tempDir, canRecover })
}

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-recover-')))
  tempDir = mkdtempSync(join(tmpdir(), 'mdtest-recover-temp-'))
  shell = open(true)
})

afterEach(async () => {
  await shell.close()
  expect(readdirSync(tempDir)).toEqual([])
  for (const directory of [cwd, tempDir]) rmSync(directory, { recursive: true, force: true })
})

function run(code: string, options: Partial<ShellRunOptions> = {}): ReturnType<Shell['run']> {
  return shell.run(code, { timeoutMs: 120_000, streams: 'merged', ...options })
}

/** Starts code that never ends, and cancels it once it runs. */
async function cancelDuring(code: string, options: Partial<ShellRunOptions> = {}): Promise<void> {
  const running = run(`${code}; touch "${cwd}/ready"; sleep 300`, options)
  while (!existsSync(join(cwd, 'ready'))) await sleep(20)
  await shell.cancel()
  expect((await running).status).toBe('lost')
}

describe('a shell that was lost', () => {
  test('goes on with the state from before the run in which it was canceled', async () => {
    await run('set -e; X="a b"; A=(1 "2 3"); f() { echo "f $1"; }; alias ll="echo aliased"; mkdir sub; cd sub')
    await cancelDuring('X=later; cd /tmp; unset -f f', { cwd, env: { X: 'for one run' } })
    expect((await run('echo no')).status).toBe('lost')
    await shell.recover()
    expect(await run('echo "$X ${A[1]}"; f 1; ll; pwd')).toMatchObject({
      status: 'done',
      stdout: `a b 2 3\nf 1\naliased\n${cwd}/sub\n`,
    })
  })

  test('goes on after a limit of time, with what earlier commands of the transcript did', async () => {
    await run('X=1')
    await run('Y=2', { env: { Z: 'one' }, cwd: '/' })
    expect((await run('Y=3; sleep 300', { continues: true, timeoutMs: 300 })).status).toBe('timeout')
    await shell.recover()
    expect(await run('echo "$X $Y ${Z-unset}"; pwd')).toMatchObject({ stdout: `1 2 unset\n${cwd}\n` })
  })

  test('takes no variable for empty that the lost run would have set', async () => {
    await cancelDuring('dir=$(pwd)/made; mkdir made')
    await shell.recover()
    const { stdout, ...result } = await run('echo "would remove $dir/*"')
    expect(stdout).toMatch(/dir: unbound variable/)
    expect(stdout).not.toContain('would remove')
    expect(result).not.toMatchObject({ exitCode: 0 })
  })

  test('goes on although it was canceled before it began', async () => {
    await shell.cancel()
    await shell.recover()
    expect(await run('pwd')).toMatchObject({ status: 'done', stdout: `${cwd}\n` })
  })

  test('can be lost and recovered again, and stays as it is where nothing was lost', async () => {
    await run('X=1')
    await shell.recover()
    expect(await run('echo "$X${Y-}$-"')).toMatchObject({ stdout: '1hBc\n' })
    for (const value of ['2', '3']) {
      await run(`X=${value}`)
      await cancelDuring('X=lost')
      rmSync(join(cwd, 'ready'))
      await shell.recover()
      expect(await run('echo "$X"')).toMatchObject({ stdout: `${value}\n` })
    }
  })

  test('begins anew where no state was kept', async () => {
    await shell.close()
    shell = open(false)
    await run('X=1')
    await shell.cancel()
    await shell.recover()
    expect(await run('echo "[${X-}]"')).toMatchObject({ status: 'done', stdout: '[]\n' })
  })

  test('is not disturbed by options of the user', async () => {
    await run('set -euo pipefail; set -o noclobber; shopt -s nullglob; trap "echo bye" EXIT; X=1')
    await cancelDuring('X=2')
    await shell.recover()
    expect(await run('echo "$X $-"; shopt nullglob')).toMatchObject({
      status: 'done',
      stdout: expect.stringMatching(/^1 \w*e\w*u\w*C?\w*\nnullglob +\ton\n$/),
    })
  })
})
