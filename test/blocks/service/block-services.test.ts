import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { BlockAttributes } from '../../../src/spec/spec.ts'
import { freePort } from '../../support/free-port.ts'
import { happensWithin } from '../../support/leftovers.ts'
import { script, transcript, useBlocks } from '../use-blocks.ts'

const open = useBlocks()
const listens = fileURLToPath(new URL('../../../fixtures/bin/listens.mjs', import.meta.url))

function service(code: string, attributes: Partial<BlockAttributes> = {}) {
  return script(code, { background: true, ...attributes })
}

describe('a service', () => {
  test('does not hold up what follows, has the state of the shell and is there until the end', async () => {
    const { runAll, cwd } = open()
    const outcomes = await runAll([
      script('greeting=hello; mkdir sub; cd sub'),
      service('echo "$greeting from $PWD, $N" >"$OLDPWD/seen"; cd /; greeting=x; sleep 300', { env: { N: 'n' } }),
      transcript(
        `$ until test -s ../seen; do sleep 0.01; done; cat ../seen; echo $greeting\nhello from ${cwd}/sub, n\nhello`,
      ),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass'])
  })

  test('that ends although it should not fails, with what it wrote, in its own line', async () => {
    const { runAll } = open()
    const outcomes = await runAll([service('echo "no s3cret" >&2; exit 3'), script('sleep 0.3'), script('touch later')])
    expect(outcomes).toHaveLength(3)
    expect(outcomes[2]).toEqual({
      role: 'verify',
      status: 'fail',
      line: 11,
      message:
        'The service of line 10 ended by itself with exit code 3. Its output:\n  no ***\n\n' +
        'A service runs until the scenario is over. If it may end, say so with `exit=3`.',
    })
    expect(await runAll([])).toEqual([])
  })

  test('may end with the exit code that it names', async () => {
    const { runAll } = open()
    const outcomes = await runAll([service('true', { exit: 0 }), service('exit 3', { exit: 3 }), script('sleep 0.2')])
    expect(outcomes.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass'])
  })

  test.each(['exec sleep 60', 'sleep 60 & echo $! >pid; wait $!'])(
    'may be killed where it says so: %s',
    async (code) => {
      const { runAll } = open()
      const killed = service(`echo $BASHPID >pid; ${code}`, { wait: 'file:pid', exit: 143 })
      const kill = script('sleep 0.1; kill "$(cat pid)"; sleep 0.3')
      expect((await runAll([killed, kill])).map(({ status, message }) => [status, message])).toEqual([
        ['pass', ''],
        ['pass', ''],
      ])
      const outcomes = await open().runAll([service(`echo $BASHPID >pid; ${code}`, { wait: 'file:pid' }), kill])
      expect(outcomes.at(-1)).toMatchObject({
        status: 'fail',
        message: expect.stringContaining('say so with `exit=143`'),
      })
    },
  )

  test('may not end with exit code 0 where it does not name it', async () => {
    const { runAll } = open()
    const [, , outcome] = await runAll([service('true'), script('sleep 0.2')])
    expect(outcome).toMatchObject({ status: 'fail', message: expect.stringContaining('say so with `exit=0`') })
  })

  test('is told of with a later failure where it wrote something meanwhile', async () => {
    const { runAll, cwd } = open()
    const code = 'echo early; until test -e go; do sleep 0.01; done; echo "bad s3cret request"; touch gone; sleep 300'
    expect(await runAll([service(code, { wait: 'file:ready' })], { timeoutMs: 200 })).toMatchObject([
      { status: 'timeout' },
    ])
    writeFileSync(join(cwd, 'go'), '')
    const [, outcome] = await runAll([script('until test -e gone; do sleep 0.01; done; sleep 0.1'), script('false')])
    expect(outcome?.message).toBe('The script ended with exit code 1, expected 0.')
    const told = await runAll([
      service('until test -e now; do sleep 0.01; done; echo here; touch written; sleep 300'),
      script('touch now; until test -e written; do sleep 0.01; done; sleep 0.1; false'),
    ])
    expect(told[1]?.message).toBe(
      'The script ended with exit code 1, expected 0.\n\nThe service of line 10 is running. Its output:\n  here',
    )
  })

  test('that shows no more than its last whole lines hides a secret that is cut', async () => {
    const { runAll } = open()
    const code = `printf 's3cret%065533d\\n' 0; echo last; exit 1`
    const [, , outcome] = await runAll([service(code), script('sleep 0.3')])
    expect(outcome?.message).toContain('Its output:\n  last\n')
    expect(outcome?.message).not.toContain('cret')
  })
})

describe('a block with `wait`', () => {
  test.each(['127.0.0.1', '::1'])('waits for a port on %s', async (host) => {
    const { runAll } = open()
    const port = await freePort()
    const outcomes = await runAll([
      service(`sleep 0.2; exec "${process.execPath}" "${listens}" ${port} ${host}`, { wait: `port:${port}` }),
      script(`"${process.execPath}" -e 'require("net").connect(${port}, "${host}", () => process.exit(0))'`),
    ])
    expect(outcomes).toMatchObject([{ status: 'pass' }, { status: 'pass' }])
  })

  test('waits for a file, also of a program that goes to the background by itself', async () => {
    const { runAll } = open()
    const outcomes = await runAll([
      script('(sleep 0.3; echo up >ready) >/dev/null 2>&1 &', { wait: 'file:ready' }),
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
    expect(onPort).toMatchObject({ status: 'fail', message: expect.stringContaining(`Port ${port} is open before`) })
    writeFileSync(join(cwd, 'ready'), '')
    const [onFile] = await runAll([script('touch started', { wait: 'file:ready' })])
    expect(onFile).toMatchObject({ status: 'fail', message: expect.stringContaining('`ready` is there before') })
    expect(existsSync(join(cwd, 'started'))).toBe(false)
  })

  test('fails at once where the service ends before, with its output', async () => {
    const { runAll } = open()
    const startMs = performance.now()
    const [outcome] = await runAll([service('echo "EADDRINUSE"; exit 1', { wait: 'file:never' })])
    expect(performance.now() - startMs).toBeLessThan(5000)
    expect(outcome).toMatchObject({ status: 'fail' })
    expect(outcome?.message).toMatch(
      /^The file `never` did not appear: the service ended before that\. .*\n\nThe service of line 10 ended by itself with exit code 1\. Its output:\n {2}EADDRINUSE$/,
    )
  })

  test('is a timeout within the limit of the block, with the output of the service', async () => {
    const { runAll } = open()
    const [outcome] = await runAll([service('echo starting; sleep 300', { wait: 'file:never', timeoutMs: 300 })])
    expect(outcome).toMatchObject({ status: 'timeout' })
    expect(outcome?.message).toContain(
      'within 300 ms. If it needs longer, give the block a longer `timeout` than 300ms.',
    )
    expect(outcome?.message).toContain('is running. Its output:\n  starting')
  })

  test('ends with the run', async () => {
    const { runAll, cwd } = open()
    const canceled = new AbortController()
    const running = runAll([service('touch up; sleep 300', { wait: 'file:never' })], { signal: canceled.signal })
    expect(await happensWithin(5000, () => existsSync(join(cwd, 'up')))).toBe(true)
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

  test('of a service that was through with waiting is a failure', async () => {
    const { runAll } = open()
    const outcomes = await runAll([service('exit 80'), script('sleep 0.3')])
    expect(outcomes.map(({ status }) => status)).toEqual(['pass', 'pass', 'fail'])
  })
})

describe.runIf(process.platform === 'linux')('the port of a service', () => {
  const serve = (port: number, host = '127.0.0.1'): string => `"${process.execPath}" "${listens}" ${port} ${host}`
  const untilOpen = (port: number, host = '127.0.0.1'): string =>
    `until (exec 3<>/dev/tcp/${host}/${port}) 2>/dev/null; do sleep 0.05; done`

  test('may be opened anew by the service itself', async () => {
    const { runAll } = open()
    const port = await freePort()
    const again = `for n in 1 2 3 4 5; do ${serve(port)} & echo $! >pid; wait; done`
    const outcomes = await runAll([
      service(again, { wait: `port:${port}` }),
      script('first=$(cat pid); kill "$first"; until test "$(cat pid)" != "$first"; do sleep 0.05; done; sleep 0.5'),
      script('true'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass'])
  })

  test.for([
    [
      'in its place',
      (port: number) => `kill $(cat pid); sleep 0.3; ${serve(port)} >/dev/null 2>&1 &\n${untilOpen(port)}`,
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
