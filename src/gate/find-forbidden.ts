import { relative } from 'node:path'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { forbiddenChanges } from '../checkpoint/forbidden-changes.ts'
import { allProgramsOf, withScripts } from '../checkpoint/programs-of.ts'
import { testFilesOf } from '../checkpoint/protected-files.ts'
import type { GateConfig } from './gate-config.ts'
import type { GateRuns } from './run-gates.ts'

interface Attempt {
  readonly checkpoints: Pick<Checkpoints, 'read'>
  /** Names of the checkpoints before and after it. */
  readonly before: string
  readonly after: string
  readonly config: GateConfig
  /** As they were before it. */
  readonly runs: GateRuns
  /** Absolute path. */
  readonly root: string
}

/** Which of the changed files judge whether the gates are green: tests, their configuration, and what the gates start. */
export async function findForbidden(paths: readonly string[], attempt: Attempt): Promise<readonly string[]> {
  return await forbiddenChanges(paths, { ...attempt, judges: await judgesOf(attempt) })
}

/** Files of the project that the gates consist of: their configuration, what they start, and tests that failed. */
async function judgesOf({ checkpoints, before, config, runs, root }: Attempt): Promise<ReadonlySet<string>> {
  const commands = Object.values(config.commands).map(({ shown }) => shown)
  const read = (path: string): Promise<string | undefined> => checkpoints.read(before, path)
  const programs = await allProgramsOf(withScripts(commands, await read('package.json')), read)
  const tests = await testFilesOf(runs.test?.results.failingTests ?? [], read)
  return new Set([relative(root, config.file), ...programs, ...tests])
}
