import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { killTree } from '../trees/kill-tree.ts'
import { createRunFolder, homesOfRuns, isRunMark, removeRunFolder } from './run-folder.ts'
import { isAbandoned } from './run-owner.ts'

/** Ends what a run has started that was killed together with its launcher, and removes its folder. Quick where nothing is left. */
export async function endEarlierRun(runMark: string): Promise<void> {
  await killTree({ pid: undefined, mark: runMark, graceMs: 1_000 })
  for (const path of createRunFolder(runMark).paths()) removeRunFolder(path, runMark)
}

/** The same for each run of this user whose folder is left in a temporary folder and whose process is gone. Never throws. */
export async function endAbandonedRuns(): Promise<void> {
  for (const home of homesOfRuns()) {
    for (const name of namesIn(home)) {
      if (isRunMark(name) && isAbandoned(join(home, name))) await endEarlierRun(name)
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // making a folder in it will say what is wrong
  }
}
