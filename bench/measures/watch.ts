import { setTimeout } from 'node:timers/promises'
import type { Measure } from '../lib/measure.ts'
import { createProject, mdtestConfig, plainConfig, type Project } from '../lib/project.ts'
import { runRounds } from '../lib/rounds.ts'
import { specText, stepsPerSpec, testText } from '../lib/spec-texts.ts'
import { timedRow } from '../lib/table.ts'
import { reporter, startWatch, type Watch } from '../lib/watch.ts'

/** Between two saves, so that nothing of a run is left in the next: as long as nobody saves faster. */
const restMs = 700

/** From the save of one spec to its result, against one test file that spawns the same, each in a watch of its own. */
export const watch: Measure = async ({ rounds = 15, log }) => {
  const spec = await createProject({
    'vitest.config.ts': mdtestConfig,
    'reporter.mjs': reporter,
    'one.test.md': specText('One'),
  })
  const plain = await createProject({
    'vitest.config.ts': plainConfig,
    'reporter.mjs': reporter,
    'one.test.ts': testText('One'),
  })
  const watches: Watch[] = []
  const start = async (project: Project): Promise<Watch> => {
    const started = await startWatch(project, stepsPerSpec)
    watches.push(started)
    return started
  }
  try {
    const [ours, theirs] = [await start(spec), await start(plain)]
    let saves = 0
    const time = async (watched: Watch, name: string, text: string): Promise<number> => {
      await setTimeout(restMs)
      return watched.timeSave(name, text)
    }
    const result = await runRounds({
      rounds,
      ours: () => time(ours, 'one.test.md', `${specText('One')}\n<!-- ${(saves += 1)} -->\n`),
      plain: () => time(theirs, 'one.test.ts', `${testText('One')}\n// ${(saves += 1)}\n`),
    })
    log(`counted: ${stepsPerSpec} tests in each of ${saves} runs`)
    return [timedRow('from save to result of one spec', result, { maxRatio: 1.2 })]
  } finally {
    await Promise.all(watches.map((started) => started.end()))
    await Promise.all([spec.remove(), plain.remove()])
  }
}
