import { expect, test } from 'vitest'
import { keptPart, Latest, maxKeptCharacters, type ToolOutput } from '../../../src/host/evidence/kept-outputs.ts'

const mebi = 1024 * 1024

test('keeps the latest outputs of a scenario, 16 MiB in all, and counts the others', () => {
  const outputs = new Latest<ToolOutput>(({ text }) => text)
  for (let index = 0; index < 20; index += 1) outputs.add({ endedAtMs: index, text: 'x'.repeat(mebi - 1_000) })
  expect(outputs.all.map(({ endedAtMs }) => endedAtMs)).toEqual([
    4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
  ])
  expect(outputs.droppedCount).toBe(4)
})

test('counts empty outputs, too', () => {
  const outputs = new Latest<ToolOutput>(({ text }) => text)
  for (let index = 0; index < 200_000; index += 1) outputs.add({ endedAtMs: index, text: '' })
  expect(outputs.all.length).toBeLessThan(maxKeptCharacters / 500)
  expect(outputs.all.at(-1)).toEqual({ endedAtMs: 199_999, text: '' })
  expect(outputs.all[0]).toEqual({ endedAtMs: outputs.droppedCount, text: '' })
  expect(outputs.all.length + outputs.droppedCount).toBe(200_000)
})

test('keeps 1 MiB of one output, as it is', () => {
  expect(keptPart('ü\ud800\0 x')).toBe('ü\ud800\0 x')
  expect(keptPart('y'.repeat(3 * mebi))).toHaveLength(mebi / 2)
  const lines = `first\n${'x'.repeat(mebi)}\nnot ok 1\n${'y'.repeat(mebi)}\nlast`
  expect(keptPart(lines)).toBe('first\nlast')
})
