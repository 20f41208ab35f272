import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { happensWithin, processesOf } from '../../support/leftovers.ts'
import { useLauncher } from '../../support/use-launcher.ts'
import { openShell, type Shell, type ServiceOptions, type ShellService } from '../../../src/system/shell/open-shell.ts'
import type { ShellRunOptions } from '../../../src/system/shell/open-shell-result.ts'

const launcher = useLauncher()

let cwd: string
let tempDir: string
let shell: Shell

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-service-')))
  tempDir = mkdtempSync(join(tmpdir(), 'mdtest-service-temp-'))
  shell = openShell({
    launcher,
    cwd,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
    tempDir,
    canRecover: true,
  })
})

afterEach(async () => {
  await shell.close()
  await expect.poll(() => processesOf(cwd)).toEqual([])
  expect(readdirSync(tempDir)).toEqual([])
  for (const directory of [cwd, tempDir]) rmSync(directory, { recursive: true, force: true })
})

function run(code: string, options: Partial<ShellRunOptions> = {}): ReturnType<Shell['run']> {
  return shell.run(code, { timeoutMs: 120_000, streams: 'merged', ...options })
}

async function start(code: string, options?: ServiceOptions): Promise<ShellService> {
  const service = await shell.startService(code, options)
  if (typeof service === 'string') throw new TypeError(service)
  return service
}

function isWritten(name: string): boolean {
  return existsSync(join(cwd, name)) && readFileSync(join(cwd, name), 'utf8').endsWith('\n')
}

async function written(name: string): Promise<string> {
  expect(await happensWithin(60_000, () => isWritten(name))).toBe(true)
  return readFileSync(join(cwd, name), 'utf8')
}

test('begins with the state of the shell, and neither changes the other', async () => {
  mkdirSync(join(cwd, 'sub'))
  await run('X=1; f() { echo "f $1"; }; export E=e; cd sub; alias hi="echo hi"; set -- a b', { env: { GONE: '1' } })
  const service = await start('f "$X$E$1$2${GONE-gone}$N"; hi; pwd; X=2; cd /; echo "$X" >"$HERE/done"; sleep 300', {
    env: { N: 'n', HERE: cwd },
  })
  expect(await written('done')).toBe('2\n')
  expect(await happensWithin(60_000, () => service.tail().includes('/sub\n'))).toBe(true)
  expect(service.tail().toString()).toBe(`f 1eabgonen\nhi\n${cwd}/sub\n`)
  expect(await run('(exit 3)')).toMatchObject({ exitCode: 3 })
  await start('sleep 300')
  expect(await run('echo "$? $X ${N-unset}"; pwd')).toMatchObject({ stdout: `3 1 unset\n${cwd}/sub\n` })
})

test('is there before the first run, and after the shell was replaced by `exit`', async () => {
  expect(await (await start('echo first')).ended).toMatchObject({ status: 'done', exitCode: 0, stdout: '' })
  await run('X=1; exit 4')
  const service = await start('echo "$X"; exit 5')
  expect(await service.ended).toMatchObject({ status: 'done', exitCode: 5 })
  expect(service.tail().toString()).toBe('1\n')
})

test('outlives the loss of the shell, not its end', async () => {
  await start('(trap "" TERM; echo up >ready; sleep 300) & sleep 300')
  await written('ready')
  expect(await run('sleep 300', { timeoutMs: 100 })).toMatchObject({ status: 'timeout' })
  await shell.recover()
  await shell.cancel()
  await shell.recover()
  expect(await run('echo on')).toMatchObject({ stdout: 'on\n' })
  expect(processesOf(cwd).some(({ line }) => line.includes('sleep 300'))).toBe(true)
  await shell.close()
  expect(processesOf(cwd)).toEqual([])
})

test('ends with what left its session, by a mark that the shell does not have', async () => {
  await run(`(setsid sh -c 'echo up >shell; exec sleep 301' > /dev/null 2>&1 &)`)
  const service = await start(`(setsid sh -c 'echo up >service; exec sleep 302' &); sleep 303`)
  await written('shell')
  await written('service')
  await service.close()
  expect(await service.ended).toMatchObject({ status: 'lost' })
  expect(processesOf(cwd).filter(({ line }) => line.startsWith('sleep'))).toMatchObject([{ line: 'sleep 301 ' }])
})

test('keeps the last 64 KiB of what it writes, without a limit', async () => {
  const service = await start('head -c 2000000 /dev/zero | tr "\\0" x; echo end')
  expect(await service.ended).toMatchObject({ status: 'done', exitCode: 0 })
  expect(service.writtenBytes()).toBe(2_000_004)
  expect(service.tail().length).toBe(64 * 1024)
  expect(service.tail().toString().endsWith('xxend\n')).toBe(true)
})

test('leaves no file, at whatever moment of its start it is ended', async () => {
  for (let waitMs = 0; waitMs < 16; waitMs += 3) {
    const service = await start('sleep 300')
    await setTimeout(waitMs)
    await service.close()
  }
  await shell.close()
  expect(readdirSync(tempDir)).toEqual([])
})

test('is not started in a shell that is lost', async () => {
  await run('kill -KILL $$')
  expect(await shell.startService('echo x')).toMatch(/replaced or ended the shell/)
})
