import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { modesAtEnd, openInterface as open, restored } from '../support/interface-session.ts'
import { happensWithin } from '../support/leftovers.ts'

const farMs = 200_000

describe.concurrent("the agent's own interface in a terminal", () => {
  test('-i shows it whatever else speaks against it; an agent that does not end when it is done is ended', async () => {
    const env = { STUBBORN: '1', CI: '1', CLAUDECODE: '1' }
    await using session = await open({ flags: '-i', env })
    session.terminal.type('pass\r')
    expect(await session.end()).toEqual({ code: '0', isRestored: true, left: [] })
  })

  test('one Ctrl-C is for the agent, two end the run', async () => {
    await using session = await open()
    session.terminal.type('\u0003')
    await session.terminal.shows('interrupt 1')
    await sleep(1_200)
    session.terminal.type('size\r')
    await session.terminal.shows('size 100x30')
    session.terminal.type('\u001b[99;5u')
    session.terminal.type('\u0003')
    expect(await session.end()).toEqual({ code: '130', isRestored: true, left: [] })
  })

  test('an agent that crashes leaves nothing of it in the terminal', async () => {
    await using session = await open()
    session.terminal.type('crash\r')
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
    expect(session.terminal.output).toContain('out of mugs')
    expect(modesAtEnd(session.terminal.output)).toEqual(restored.split(/(?=\u001b)/).toSorted())
  })

  test('SIGTERM, twice, reaches the agent and ends the run in good order', async () => {
    await using session = await open()
    await session.kill('SIGTERM')
    expect(await happensWithin(farMs, () => existsSync(session.project.path('signals')))).toBe(true)
    // It may have ended meanwhile.
    await session.kill('SIGTERM').catch(() => undefined)
    expect(await session.end()).toEqual({ code: '143', isRestored: true, left: [] })
    expect(await session.project.read('signals')).toContain('SIGTERM')
  })

  test('an error that nobody catches puts the terminal back, too', async () => {
    await using session = await open({ env: { ON_SIGUSR2: 'throw' } })
    await session.kill('SIGUSR2')
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
  })

  test('a key is a sign of life, a wheel that turns is none', async () => {
    await using session = await open({ flags: '--silence-timeout 8s' })
    const startMs = performance.now()
    session.terminal.type('spin\r')
    for (const _count of [1, 2, 3]) {
      await sleep(1_000)
      session.terminal.type('x')
    }
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
    expect(session.terminal.output).toContain('AGENT_SILENT')
    expect(performance.now() - startMs).toBeGreaterThan(10_900)
  })

  test('whose hooks are not run has ended 10 s after its log is complete', async () => {
    await using session = await open({ env: { NO_HOOKS: '1' } })
    const startMs = performance.now()
    session.terminal.type('pass\rwheel\r')
    expect(await session.end()).toEqual({ code: '0', isRestored: true, left: [] })
    expect(performance.now() - startMs).toBeGreaterThan(10_000)
    expect(session.terminal.output).toContain('interrupt 2')
    expect(session.terminal.output).toMatch(/claimed/)
  })

  test('SIGTSTP stops neither of both', async () => {
    await using session = await open()
    await session.kill('SIGTSTP')
    session.terminal.type('size\r')
    await session.terminal.shows('size 100x30')
    session.terminal.type('pass\r')
    expect(await session.end()).toEqual({ code: '0', isRestored: true, left: [] })
    const titles = session.terminal.output.match(/\u001b\[2[23];0t/g)?.map((text) => text.slice(2, 4))
    expect(titles).toEqual(['22', '23'])
  })

  test('an mdtest that was killed leaves no agent, and the terminal as it was', async () => {
    await using session = await open({ env: { STUBBORN: '1' } })
    await session.kill('SIGKILL')
    expect(await session.end()).toEqual({ code: '137', isRestored: true, left: [] })
    expect(modesAtEnd(session.terminal.output.replace(/code 137\r?\n/, ''))).toEqual(
      restored.split(/(?=\u001b)/).toSorted(),
    )
  })

  test('an mdtest that is killed while it takes the terminal leaves it as it was', async () => {
    const stty = '#!/bin/sh\n[ "$1" != -opost ] || kill -9 "$PPID"\nPATH=/usr/bin:/bin exec stty "$@"\n'
    await using session = await open({ programs: { stty } })
    expect(await session.end()).toEqual({ code: '137', isRestored: true, left: [] })
  })
})
