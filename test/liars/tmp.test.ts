import { expect, test } from 'vitest'
import { loadScenes } from './support/load-scenes.ts'
import { runScenes, summaryOf } from './support/run-scenes.ts'

test('all', async () => {
  const only = process.env.ONLY
  const all = await loadScenes()
  const scenes =
    only === 'p'
      ? all.filter((s) => !s.script)
      : only === 'm'
        ? all.filter((s) => s.script)
        : only
          ? all.filter((s) => only.split(',').includes(s.name))
          : all
  const t = performance.now()
  const { results, leftovers } = await runScenes(scenes)
  console.log(
    scenes
      .map(
        (s) =>
          `${s.kind.padEnd(10)}${(s.script ? 'real ' : '') + s.as}`.padEnd(24) +
          s.name.padEnd(40) +
          String(results.get(s.name)?.isGreen).padEnd(7) +
          summaryOf(results.get(s.name)?.verdicts ?? []).padEnd(30) +
          results.get(s.name)?.verdicts.join(' | '),
      )
      .join('\n'),
  )
  console.log(leftovers, performance.now() - t)
  expect(1).toBe(1)
})
