import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ModuleScope } from '../../../src/blocks/module/module-scope.ts'
import { createBlockServices } from '../../../src/blocks/service/block-services.ts'
import { Captures } from '../../../src/blocks/captures.ts'
import { runBlock } from '../../../src/blocks/run-blocks.ts'
import type { ModuleBlock, ModuleFailure, ModuleRunner } from '../../../src/blocks/module/run-module.ts'
import type { BlockOutcome } from '../../../src/records/block-outcome.ts'
import { useBlocks } from '../use-blocks.ts'

const openBlocks = useBlocks()

type Body = (scope: ModuleScope, over: AbortSignal) => Promise<readonly ModuleFailure[] | void>

interface Setting {
  readonly attributes?: Partial<ModuleBlock['attributes']>
  readonly signal?: AbortSignal
  readonly isDebugged?: boolean
}

/** Runs a block whose code is a function. */
function open(): {
  readonly cwd: string
  readonly captures: Captures
  run(body: Body, setting?: Setting): Promise<BlockOutcome>
} {
  const { cwd, shell } = openBlocks()
  const captures = new Captures()
  return {
    cwd,
    captures,
    run(body, { attributes = {}, signal = new AbortController().signal, isDebugged = false } = {}) {
      const block: ModuleBlock = {
        ...{ kind: 'module', language: 'ts', role: 'verify', line: 10, column: 1, code: '…', codeLine: 11 },
        attributes: { env: {}, ...attributes },
      }
      const execute: ModuleRunner = async (_block, scope, { over }) => (await body(scope, over)) ?? []
      const redact = (text: string): string => text.replaceAll('hush', '***')
      const modules = { execute, isDebugged }
      const services = createBlockServices(redact)
      const own = { afterFailure: 'stop', withheld: new Set<string>(), timeoutMs: 15_000 } as const // a literal
      return runBlock(block, { ...own, shell, services, signal, cwd, captures, modules, redact })
    },
  }
}

const pass = { role: 'verify', status: 'pass', message: '', line: 10 }

describe('a block of code', () => {
  test('passes when it has no failure, with files and commands in its directory', async () => {
    const { cwd, run } = open()
    mkdirSync(join(cwd, 'sub'))
    writeFileSync(join(cwd, 'sub/a.txt'), 'a')
    const seen: unknown[] = []
    const outcome = await run(
      async ({ dir, readFile, $ }) => {
        seen.push(dir, await readFile('a.txt'), (await $`echo $X $PWD; X=2`).stdout, (await $`echo $X`).stdout)
      },
      { attributes: { cwd: 'sub', env: { X: '1' } } },
    )
    expect(outcome).toEqual(pass)
    expect(seen).toEqual([join(cwd, 'sub'), 'a', `1 ${join(cwd, 'sub')}`, '1'])
  })

  test('fails with all that was found, at the line of the first, without secrets', async () => {
    const { run } = open()
    const failures = [
      { message: 'hush differs', line: 12, expected: 'a\nhush', actual: 'a\nb' },
      { message: 'hush is equal', line: 14, expected: 'hush', actual: 'hush' },
      { message: 'nowhere' },
    ]
    expect(await run(async () => failures)).toEqual({
      role: 'verify',
      status: 'fail',
      line: 12,
      message: `Line 12: *** differs (- expected, + actual):\n  a\n- ***\n+ b\n\nLine 14: *** is equal\n\nnowhere`,
    })
  })

  test.each(['nodde x', './nodde x', 'nodde x 2>/dev/null | grep y', 'cat <<EOF'])(
    'that fails is at fault itself if it ran `%s`',
    async (code) => {
      const fails = [{ message: 'expected 127 to be 0' }]
      const outcome = await open().run(async ({ $ }) => {
        await Reflect.apply($.nothrow, undefined, [{ raw: [code] }]).catch(() => {})
        return fails
      })
      expect(outcome).toMatchObject({ status: 'fail', isBroken: true })
      expect(await open().run(async ({ $ }) => void (await $.nothrow`nodde x`))).toEqual(pass)
      const own = await open().run(async ({ $ }) => {
        await $.nothrow`echo 3 | grep 4`
        return fails
      })
      expect(own).not.toHaveProperty('isBroken')
    },
  )

  test('is over at its limit: it is told, and its commands are refused from then on', async () => {
    const { run } = open()
    let late: Promise<unknown> = Promise.resolve()
    let over: AbortSignal | undefined
    const outcome = await run(
      (scope, signal) => {
        over = signal
        late = sleep(300).then(() => scope.$`echo late`)
        late.catch(() => {})
        return new Promise(() => {})
      },
      { attributes: { timeoutMs: 100 } },
    )
    expect(outcome).toMatchObject({ status: 'timeout', line: 10, message: 'The block took longer than 100 ms.' })
    expect(over?.aborted).toBe(true)
    await expect(late).rejects.toThrow('`echo late` was not run: its block is over.')
  })

  test('has no limit while it is debugged', async () => {
    const { run } = open()
    const setting = { attributes: { timeoutMs: 20 }, isDebugged: true }
    expect(await run(async () => void (await sleep(100)), setting)).toEqual(pass)
  })

  test('ends with the run, and does not begin after it', async () => {
    const { run } = open()
    const canceled = new AbortController()
    setTimeout(() => canceled.abort(), 50)
    const { signal } = canceled
    const message = 'The block did not run to its end. The run was canceled.'
    expect(await run(() => new Promise(() => {}), { signal })).toMatchObject({ status: 'fail', message })
    expect(await run(() => expect.unreachable(), { signal })).toMatchObject({ status: 'fail', message })
  })

  test('gives captures on, which have to be texts', async () => {
    const { captures, run } = open()
    captures.keep(new Map([['id', '7']]))
    expect(await run(async (scope) => void scope.captures.set('next', `${scope.captures.get('id')}8`))).toEqual(pass)
    expect([...captures.values]).toEqual([
      ['id', '7'],
      ['next', '78'],
    ])
    expect(
      await run(async (scope) => void Reflect.apply(scope.captures.set, scope.captures, ['count', 5])),
    ).toMatchObject({
      status: 'fail',
      message: 'The capture `count` has to be a string, got a value of type `number`. Use `String(…)`.',
    })
  })

  test('does not forget a command that nobody waited for, whatever became of it', async () => {
    const { run } = open()
    const running = await run(async ({ $ }) => void $`sleep 0.2; echo hush`.catch(() => {}))
    expect(running.message).toBe(
      '`sleep 0.2; echo ***` was still running when the block ended. Write `await` before its `$`.',
    )
  })
})
