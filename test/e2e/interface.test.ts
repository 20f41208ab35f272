import { describe, expect, test } from 'vitest'
import { leftAfter } from '../support/leftovers.ts'
import { projectWithInterface } from '../support/scripted-interface.ts'
import { openUserTerminal } from '../support/user-terminal.ts'

const line = (args: string): string =>
  `stty -a > before; node node_modules/vitest-mdtest/dist/bin.js run ${args}; echo "code $?"; stty -a > after`

describe("the agent's own interface in a terminal", () => {
  test('passes every byte both ways, follows the size, and leaves the terminal as it was', async () => {
    const { project, env } = await projectWithInterface()
    await using _project = project
    const terminal = openUserTerminal(line('-i'), { cwd: project.dir, env })
    await terminal.shows('ready')
    terminal.resize(111, 33)
    await terminal.shows('size 111x33')
    terminal.type('bytes\r')
    const bytes = String.fromCharCode(...Array(256).keys())
    await terminal.shows(`<${bytes}>`)
    terminal.type('echo\r')
    await terminal.shows('echoes')
    terminal.type(Buffer.from(bytes, 'latin1'))
    await terminal.shows(`echoes${bytes}`)
    terminal.type('end of echo')
    await terminal.shows(`end of echo`)
    terminal.type('pass\r')
    await terminal.ended
    expect(terminal.output).toContain('code 0')
    expect(terminal.output).toMatch(/mdtest: claude carries out shop\.test\.md > Shop \(spec 1 of 1\)/)
    expect(terminal.output).toMatch(/mdtest: claude is done with shop\.test\.md > Shop after \d+s: pass/)
    expect(terminal.output).toContain('1 passed, 0 failed')
    expect(await project.read('after')).toBe(
      (await project.read('before')).replace('rows 30; columns 100', 'rows 33; columns 111'),
    )
    expect(await leftAfter(project.dir)).toEqual([])
  })
})
