import { setTimeout } from 'node:timers/promises'
import type { Measure } from '../lib/measure.ts'
import { createProject, mdtestConfig, plainConfig, type Project } from '../lib/project.ts'
import { runRounds } from '../lib/rounds.ts'
import { specText, stepsPerSpec, testText } from '../lib/spec-texts.ts'
import { timedRow } from '../lib/table.ts'
import { reporter, startWatch, type Watch } from '../lib/watch.ts'

/** Pause between two saves, so that one run does not disturb the next. Users do not save faster. */
const restMs = 700

/** Compares the time from saving a spec to its result with the same for an equal test file, in watch mode. */
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
