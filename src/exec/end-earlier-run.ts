import { killTree } from './kill-tree.ts'
import { createRunFolder, removeRunFolder } from './run-folder.ts'

/** Ends what a run has started that was killed together with its launcher, and removes its folder. Quick where nothing is left. */
export async function endEarlierRun(runMark: string): Promise<void> {
  await killTree({ pid: undefined, mark: runMark, graceMs: 1_000 })
  for (const path of createRunFolder(runMark).paths()) removeRunFolder(path, runMark)
}
