import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findSandbox, sandboxed, type SandboxView } from '../../../src/permissions/sandbox/bubblewrap.ts'

const found = await findSandbox(process.env)
// Another user may not reach the folder of the tests' programs.
const program = found.ok ? realpathSync(found.program) : 'bwrap'
const skipReason = found.ok ? '' : ` (skipped: ${found.why})`

test('a sandbox that is not on PATH is not found, and why is said', async () => {
  const none = await findSandbox({ PATH: '/nowhere' })
  expect(none).toEqual({ ok: false, why: expect.stringMatching(/is not installed|is for Linux alone/) })
})

test('a program of that name that does not work is no sandbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdt-bw-'))
  try {
    writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions" >&2\nexit 1\n', { mode: 0o755 })
    expect(await findSandbox({ PATH: folder })).toEqual({
      ok: false,
      why: expect.stringMatching(/does not work here \(bwrap: No permissions\)|is for Linux alone/),
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const withoutNamespaces = `#!/bin/sh
exec unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_user_namespaces
exec setpriv --bounding-set=-all --no-new-privs ${program} "$@"' bwrap "$@"
`
const canForbid = process.platform === 'linux' && spawnSync('unshare', ['-Ur', 'setpriv', 'true']).status === 0

test.skipIf(!found.ok || !canForbid)('nor does one where namespaces of users are forbidden', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdt-bw-'))
  try {
    writeFileSync(join(folder, 'bwrap'), withoutNamespaces, { mode: 0o755 })
    const none = await findSandbox({ PATH: folder })
    expect(none).toEqual({ ok: false, why: expect.stringMatching(/does not work here \(bwrap: .*not permitted\)/) })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** The project lies in the folder for temporary files, as those of other users do in their homes. */
const root = realpathSync(mkdtempSync(join(tmpdir(), 'mdt sandbox-')))
const path = (name: string): string => join(root, name)
const env = { PATH: process.env.PATH ?? '', HOME: path('home'), SSH_AUTH_SOCK: path('home/agent.sock') }
const view: SandboxView = {
  program,
  cwd: path('project'),
  env,
  writable: [path('home/.agent'), path('home/.missing'), path('linked/state')],
  readable: [path('project'), path('home/.agent/fixed'), path('config/mcp.json')],
  programs: [],
}

interface Ran {
  readonly status: number | null
  readonly output: string
}

function inSandbox(script: string, changes: Partial<SandboxView> = {}, uid?: number): Ran {
  const { argv, env: shown } = sandboxed(['bash', '-c', script], { ...view, ...changes })
  const user = uid === undefined ? {} : { uid, gid: uid }
  const options = { env: shown, cwd: '/', encoding: 'utf8', ...user } as const // the encoding
  const { status, stdout, stderr } = spawnSync(argv[0], argv.slice(1), options)
  return { status, output: stdout + stderr }
}

describe.skipIf(!found.ok)(`in the sandbox${skipReason}`, () => {
  let socket: Server
  let other: Server

  beforeAll(async () => {
    for (const name of ['project', 'home/.agent/fixed', 'real/state', 'config', 'secret']) {
      mkdirSync(path(name), { recursive: true })
    }
    for (const name of ['project/data.txt', 'config/mcp.json', 'secret/other.txt', 'home/.npmrc']) {
      writeFileSync(path(name), name)
    }
    symlinkSync(path('real'), path('linked'))
    symlinkSync(path('project/data.txt'), path('home/.agent/link'))
    socket = await listen(env.SSH_AUTH_SOCK)
    other = await listen(path('project/product.sock'))
  })
  afterAll(() => {
    socket.close()
    other.close()
    rmSync(root, { recursive: true, force: true })
  })

  test.each([
    ['a file of the project', 'echo x > data.txt'],
    ['a new file of the project', 'echo x > new.txt'],
    ['a file of the project through a link in a folder that it may write', 'echo x > "$HOME/.agent/link"'],
    ['a hard link to a file of the project', 'ln data.txt "$HOME/.agent/hard"'],
    ['a file of the project through the root of a process', 'echo x > "/proc/1/root$PWD/data.txt"'],
    ['the settings of the user', 'echo x > "$HOME/.npmrc"'],
    ['what is read-only in a folder that it may write', 'echo x > "$HOME/.agent/fixed/x"'],
    ['the mounts', 'mount -o remount,rw "$PWD"'],
    ['the mounts with rights in a namespace of its own', 'unshare -Urm mount -o remount,bind,rw "$PWD"'],
    ['a setting of the kernel', 'echo x > /proc/sys/kernel/core_pattern'],
    ['a control group', 'mkdir /sys/fs/cgroup/mdtest-x'],
  ])('nobody can change %s', (_, script) => {
    expect(inSandbox(script)).toMatchObject({
      status: expect.not.toSatisfy((status: number) => status === 0),
      output: expect.stringMatching(/Read-only|not permitted|denied|failed|Invalid cross-device|Permission|unshare/i),
    })
    expect(readFileSync(path('project/data.txt'), 'utf8')).toBe('project/data.txt')
    expect(existsSync(path('project/new.txt'))).toBe(false)
  })

  test('it writes its own state, also behind a link, and temporary files that nobody else sees', () => {
    const { status, output } = inSandbox(
      'echo x > "$HOME/.agent/s" && echo x > ../linked/state/s && echo x > "$TMPDIR/mdt-own"',
    )
    expect(output).toBe('')
    expect(status).toBe(0)
    expect([existsSync(path('home/.agent/s')), existsSync(path('real/state/s'))]).toEqual([true, true])
    expect(existsSync('/tmp/mdt-own')).toBe(false)
  })

  test('of folders that everybody shares it sees what it needs alone', () => {
    expect(inSandbox('cat data.txt ../config/mcp.json').output).toBe('project/data.txtconfig/mcp.json')
    expect(inSandbox('cat ../secret/other.txt').output).toMatch(/No such file/)
    expect(inSandbox('ls /run | wc -l').output.trim()).toBe('0')
  })

  test('it sees no process but its own, and can trace none', () => {
    expect(
      inSandbox(`test -e /proc/${process.pid}/cwd && tr '\\0' ' ' < /proc/${process.pid}/cmdline`).output,
    ).not.toContain('vitest')
    expect(inSandbox(`kill -0 ${process.pid}`).status).not.toBe(0)
  })

  test.each([
    ['that a variable names', env.SSH_AUTH_SOCK],
    ['in the project', path('project/product.sock')],
  ])('a socket %s cannot be reached', (_, file) => {
    const dial = `node -e 'require("net").connect(process.argv[1]).on("connect", () => { console.log("reached"); process.exit() }).on("error", (e) => console.log(e.code))' '${file}'`
    expect(inSandbox(dial).output.trim()).toMatch(/^(?:ECONNREFUSED|ENOENT|ENOTSOCK|EACCES)$/)
  })

  test.skipIf(process.getuid?.() !== 0)('another user than root has the same', () => {
    spawnSync('chmod', ['-R', 'a+rX', root])
    chmodSync(path('home/.agent'), 0o777)
    const words = 'cat data.txt; echo x > data.txt; echo x > "$HOME/.agent/n" && echo " state"; ls /run | wc -l'
    // Folders of PATH may be out of its reach.
    const reached = { env: { ...env, PATH: '/usr/bin:/bin' } }
    expect(inSandbox(words, reached, 65_534).output).toMatch(/^project\/data\.txt[^]* state\n0\n[^]*Read-only/)
  })

  test('variables that lead to other programs are gone', () => {
    expect(inSandbox('env').output).not.toMatch(/SSH_AUTH_SOCK|XDG_RUNTIME_DIR/)
  })

  test('a project that is the home, or holds the state, is still not to be written', () => {
    const home = { ...view, cwd: path('home'), readable: [path('home')], env: { ...env, HOME: path('home') } }
    expect(inSandbox('echo x > new && echo written; echo x > .agent/s2 && echo state', home).output).toMatch(
      /state[\s\S]*Read-only/,
    )
    const same = { ...view, cwd: path('home'), readable: [path('home')], writable: [path('home')] }
    expect(inSandbox('echo x > new', same).output).toContain('Read-only')
  })

  test('it tells how its program ended', () => {
    expect(inSandbox('exit 7').status).toBe(7)
    expect(inSandbox('kill -9 $$').status).toBe(137)
  })

  test.each(['setsid', 'env -i setsid'])('to end it is to end all that it started: %s', async (start) => {
    const { argv, env: shown } = sandboxed(['bash', '-c', `${start} sleep 321.5 & echo started; wait`], view)
    const child = spawn(argv[0], argv.slice(1), { env: shown, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await expect.poll(sleepers).toBe(1)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
    await expect.poll(sleepers).toBe(0)
  })
})

function sleepers(): number {
  return spawnSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line === 'sleep 321.5').length
}

async function listen(file: string): Promise<Server> {
  const server = createServer((connection) => connection.end())
  await new Promise<void>((resolve) => server.listen(file, resolve))
  return server
}
