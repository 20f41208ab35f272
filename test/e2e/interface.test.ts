import { expect, test } from 'vitest'
import { modesAtEnd, openInterface, restored, specOf } from '../support/interface-session.ts'

// More of it: interface.slow.test.ts.

const everyByte = String.fromCharCode(...Array(256).keys())

test("the agent's own interface passes every byte both ways, follows the size, quits, and tells what came of each spec", async () => {
  await using session = await openInterface({ specs: { 'a.test.md': specOf('A'), 'b.test.md': specOf('B') } })
  const { terminal } = session
  terminal.resize(111, 33)
  await terminal.shows('size 111x33')
  terminal.type('bytes\r')
  await terminal.shows(`<${everyByte}>`)
  terminal.type('echo\r')
  await terminal.shows('echoes')
  terminal.type(Buffer.from(everyByte, 'latin1'))
  await terminal.shows(`echoes${everyByte}`)
  terminal.type('end of echo')
  await terminal.shows('end of echo')
  terminal.type('pass\r')
  await terminal.shows(/B \(spec 2 of 2\)[^]*ready/)
  terminal.type('fail\r')
  expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
  const lines = terminal.output.split('\r\n').filter((text) => /mdtest: claude|\d passed, \d/.test(text))
  expect(lines.map((text) => text.replace(/^.*(?=mdtest:|1 passed)/, '').replace(/\d+s/, 'Ns'))).toEqual([
    'mdtest: claude carries out a.test.md > A (spec 1 of 2)',
    'mdtest: claude is done with a.test.md > A after Ns: pass',
    'mdtest: claude carries out b.test.md > B (spec 2 of 2)',
    'mdtest: claude is done with b.test.md > B after Ns: fail',
    '1 passed, 1 failed',
  ])
  expect(modesAtEnd(terminal.output)).toEqual(restored.split(/(?=\u001b)/).toSorted())
})
