import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import type { Block, BlockAttributes } from '../../../src/spec/spec.ts'
import { freePort } from '../../support/free-port.ts'
import { script, transcript, useBlocks } from '../use-blocks.ts'

const open = useBlocks()
const listens = fileURLToPath(new URL('../../../fixtures/bin/listens.mjs', import.meta.url))

const service = (code: string, attributes: Partial<BlockAttributes> = {}): Block =>
  script(code, { background: true, ...attributes })

/** In a shell: waits until a file is there. */
const untilFile = (name: string): string => `until test -e ${name}; do sleep 0.02; done`

/** However slow the machine is. */
const until = (isSo: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(isSo()).toBe(true), { timeout: 120_000, interval: 10 })

const readIfThere = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')

const programOf = (pid: string): string =>
  spawnSync('ps', ['-o', 'comm=', '-p', pid], { encoding: 'utf8' }).stdout.trim()

test('a refused connection beside a service that nobody waited for says so', async () => {
  const { runAll } = open()
  const refused = script('echo "connect ECONNREFUSED 127.0.0.1:9" >&2; exit 1')
  const [, { message = '' } = {}] = await runAll([service('sleep 300'), refused])
  expect(message).toMatch(/^Nobody was listening yet: the service of line \d+ has no `wait`/)
})

describe('a service', () => {
  test('does not hold up what follows, has the state of the shell and is there until the end', async () => {
    const { runAll, cwd } = open()
    const outcomes = await runAll([
      script('greeting=hello; mkdir sub; cd sub'),
      service('echo "$greeting from $PWD, $N" >"$OLDPWD/seen"; cd /; greeting=x; sleep 300', { env: { N: 'n' } }),
      transcript(
        `$ until test -s ../seen; do sleep 0.02; done; cat ../seen; echo $greeting\nhello from ${cwd}/sub, n\nhello`,
      ),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass'])
  })

  test('that ends although it should not fails, with what it wrote, in its own line', async () => {
    const { runAll, cwd, serviceOf } = open()
    const failing = service(`${untilFile('go')}; echo "no s3cret" >&2; exit 3`)
    expect(await runAll([failing])).toMatchObject([{ status: 'pass' }])
    writeFileSync(join(cwd, 'go'), '')
    await until(() => serviceOf(failing).over.aborted)
    expect(await runAll([script('touch later')])).toEqual([
      {
        role: 'verify',
        status: 'fail',
        line: 11,
        message:
          'The service of line 10 ended by itself with exit code 3. Its output:\n  no ***\n\n' +
          'A service runs until the scenario is over. If it may end, say so with `exit=3`.',
      },
    ])
    expect(existsSync(join(cwd, 'later'))).toBe(false)
    expect(await runAll([])).toEqual([])
  })

  test.each<[code: string, ends: number | 'SIGTERM']>([
    ['exit 3', 3],
    ['true', 0],
    ['exit 80', 80],
    ['exec sleep 300', 'SIGTERM'],
    ['sleep 300 & echo $! >pid; wait $!', 'SIGTERM'],
  ])('may end only as it says, whether by itself or by a signal: %s', async (code, ends) => {
    const exit = ends === 'SIGTERM' ? 143 : ends
    for (const named of [undefined, exit]) {
      const { runAll, cwd, serviceOf } = open()
      const block = service(`${untilFile('go')}; echo $BASHPID >pid; ${code}`, {
        ...(named !== undefined && { exit: named }),
      })
      await runAll([block])
      writeFileSync(join(cwd, 'go'), '')
      if (ends === 'SIGTERM') {
        // A bash that is about to become another program can lose a signal.
        await until(() => programOf(readIfThere(join(cwd, 'pid'))) === 'sleep')
        process.kill(Number(readFileSync(join(cwd, 'pid'), 'utf8')), ends)
      }
      await until(() => serviceOf(block).over.aborted)
      const [ended] = await runAll([])
      if (named === undefined) expect(ended?.message).toContain(`say so with \`exit=${exit}\``)
      else expect(ended).toBeUndefined()
    }
  })

  test.each(['nosuchapi & sleep 300', 'sleep 300 | nosuchlog', 'for s in nosuch; do $s & done; sleep 300'])(
    'a part of which cannot be started fails: %s',
    async (code) => {
      const { runAll, serviceOf } = open()
      const block = service(code)
      const begun = await runAll([block])
      if (begun[0]?.status === 'pass') await until(() => serviceOf(block).writtenBytes() > 0)
      const [outcome] = begun[0]?.status === 'pass' ? await runAll([]) : begun
      expect(outcome).toMatchObject({
        status: 'fail',
        isBroken: true,
        message: expect.stringContaining('not be started'),
      })
    },
  )

  test('is told of with a failure where it wrote something meanwhile', async () => {
    const { runAll, cwd, serviceOf } = open()
    const block = service(`echo early; ${untilFile('now')}; echo here; sleep 300`)
    await runAll([block])
    await until(() => serviceOf(block).writtenBytes() === 'early\n'.length)
    const failed = 'The script ended with exit code 1, expected 0.'
    expect(await runAll([script('false')])).toMatchObject([{ message: failed }])
    const running = runAll([script(`touch now; ${untilFile('seen')}; false`)])
    await until(() => serviceOf(block).writtenBytes() === 'early\nhere\n'.length)
    writeFileSync(join(cwd, 'seen'), '')
    const told = `${failed}\n\nThe service of line 10 is running. Its output:\n  early\n  here`
    expect((await running)[0]?.message).toBe(told)
  })

  test('that shows no more than its last whole lines hides a secret that is cut', async () => {
    const { runAll, serviceOf } = open()
    const block = service(`printf 's3cret%065533d\\n' 0; echo last; exit 1`)
    const begun = await runAll([block])
    await until(() => serviceOf(block).over.aborted)
    const { message } = [...begun, ...(await runAll([]))].find(({ status }) => status === 'fail') ?? {}
    expect(message).toContain('Its output:\n  last\n')
    expect(message).not.toContain('cret')
  })
})

describe('a block with `wait`', () => {
  test.each(['127.0.0.1', '::1'])('waits for a port on %s', async (host) => {
    const { runAll } = open()
    const port = await freePort()
    const outcomes = await runAll([
      service(`sleep 0.1; exec "${process.execPath}" "${listens}" ${port} ${host}`, { wait: `port:${port}` }),
      script(`exec 3<>/dev/tcp/${host}/${port}`),
    ])
    expect(outcomes).toMatchObject([{ status: 'pass' }, { status: 'pass' }])
  })

  test('waits for a file, also of a program that goes to the background by itself', async () => {
    const { runAll } = open()
    const outcomes = await runAll([
      script('(sleep 0.1; echo up >ready) >/dev/null 2>&1 &', { wait: 'file:ready' }),
      transcript('$ test -e ready'),
    ])
    expect(outcomes).toMatchObject([{ status: 'pass' }, { status: 'pass' }])
  })

  test('fails where it could not tell: the port is open or the file is there already', async () => {
    const { runAll, cwd } = open()
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo // it listens on a port
    const [onPort] = await runAll([service('touch started; sleep 300', { wait: `port:${port}` })])
    await new Promise((resolve) => server.close(resolve))
    expect(onPort).toMatchObject({ status: 'fail', message: expect.stringContaining(`Port ${port} is in use already`) })
    writeFileSync(join(cwd, 'ready'), '')
    const [onFile] = await runAll([script('touch started', { wait: 'file:ready' })])
    expect(onFile).toMatchObject({ status: 'fail', message: expect.stringContaining('`ready` is there already') })
    expect(existsSync(join(cwd, 'started'))).toBe(false)
  })

  test('fails at once where the service ends before, with its output', async () => {
    const { runAll } = open()
    const ends = service('echo "EADDRINUSE"; exit 1', { wait: 'file:never' })
    const [outcome] = await runAll([ends], { timeoutMs: 3_600_000 })
    expect(outcome).toMatchObject({ status: 'fail' })
    expect(outcome?.message).toMatch(
      /^The file `never` did not appear: the service ended before that\. .*\n\nThe service of line 10 ended by itself with exit code 1\. Its output:\n {2}EADDRINUSE$/,
    )
  })

  test('is a timeout within the limit of the block', async () => {
    const { runAll } = open()
    const [outcome] = await runAll([service('sleep 300', { wait: 'file:never', timeoutMs: 300 })])
    expect(outcome).toMatchObject({ status: 'timeout' })
    expect(outcome?.message).toContain('within 300 ms. If it needs longer, give the block a longer `timeout`.')
  })

  test('ends with the run', async () => {
    const { runAll, cwd } = open()
    const canceled = new AbortController()
    const running = runAll([service('touch up; sleep 300', { wait: 'file:never' })], {
      signal: canceled.signal,
      timeoutMs: 3_600_000,
    })
    await until(() => existsSync(join(cwd, 'up')))
    canceled.abort()
    expect(await running).toMatchObject([{ status: 'fail', message: expect.stringContaining('canceled') }])
  })

  test('does not wait where the script itself fails', async () => {
    const { runAll } = open()
    expect(await runAll([script('false', { wait: 'file:never' })])).toMatchObject([{ status: 'fail' }])
  })
})

describe('exit code 80', () => {
  test.each([
    ['a script', script('echo "no docker" >&2; exit 80'), 10],
    ['a command', transcript('$ echo a\na\n$ echo "no docker" >&2; (exit 80)\nb'), 13],
    ['a service before it is ready', service('echo "no docker" >&2; exit 80', { wait: 'file:never' }), 10],
  ] as const)('of %s skips, and its output says why', async (_name, block, line) => {
    const { runAll } = open()
    const outcomes = await runAll([block, script('touch later')])
    expect(outcomes).toMatchObject([{ status: 'skipped', line }])
    expect(outcomes[0]?.message).toMatch(
      /ended with exit code 80, which means: skip this scenario\.\n[a-z]+:\n {2}no docker$/,
    )
  })

  test('is one like others where it is expected', async () => {
    const { runAll } = open()
    const blocks = [script('exit 80', { exit: 80 }), transcript('$ (exit 80)\n[80]')]
    expect(await runAll(blocks)).toMatchObject([{ status: 'pass' }, { status: 'pass' }])
  })
})

describe.runIf(process.platform === 'linux')('the port of a service', () => {
  const serve = (port: number, host = '127.0.0.1'): string => `"${process.execPath}" "${listens}" ${port} ${host}`
  const isOpen = (port: number, host: string): string => `(exec 3<>/dev/tcp/${host}/${port}) 2>/dev/null`
  const untilOpen = (port: number, host = '127.0.0.1'): string => `until ${isOpen(port, host)}; do sleep 0.05; done`
  const untilClosed = (port: number): string => `while ${isOpen(port, '127.0.0.1')}; do sleep 0.05; done`

  test('may be opened anew by the service itself', async () => {
    const { runAll } = open()
    const port = await freePort()
    const again = `for n in 1 2 3 4 5; do ${serve(port)} & echo $! >pid; wait; done`
    const outcomes = await runAll([
      service(again, { wait: `port:${port}` }),
      script(
        `first=$(cat pid); kill "$first"; until test "$(cat pid)" != "$first"; do sleep 0.05; done; ${untilOpen(port)}`,
      ),
      script('true'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass'])
  })

  test.for([
    [
      'in its place',
      (port: number) => `kill $(cat pid); ${untilClosed(port)}; ${serve(port)} >/dev/null 2>&1 &\n${untilOpen(port)}`,
    ],
    ['beside it', (port: number) => `${serve(port, '::1')} >/dev/null 2>&1 &\n${untilOpen(port, '::1')}`],
  ] as const)('is not served by anybody else: %s', async ([, code]) => {
    const { runAll } = open()
    const port = await freePort()
    const outcomes = await runAll([
      service(`${serve(port)} & echo $! >pid; wait; sleep 300`, { wait: `port:${port}` }),
      script(code(port)),
      script('touch judged'),
    ])
    expect(outcomes).toHaveLength(3)
    expect(outcomes[2]).toMatchObject({ status: 'fail', line: 10 })
    expect(outcomes[2]?.message).toContain(`Port ${port} of the service of line 10 is served by another process, \``)
  })
})
