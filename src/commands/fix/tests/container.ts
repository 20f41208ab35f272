import type { RunnerCommand } from '../../../test-runners/runner.ts'

/** Where a command runs. */
export interface Container {
  readonly image: string
  /** Absolute path of the project: there under the same path. */
  readonly root: string
}

/**
 * A command as one of Docker: without network and privileges, with the project and what the runner writes under their
 * own paths. Of the environment it gets what the runner adds, nothing of this machine. Pure.
 */
export function inContainer({
  image,
  root,
}: Container): (command: RunnerCommand, resultsDir?: string) => RunnerCommand {
  return ({ argv, env = {} }, resultsDir) => ({
    argv: [
      'docker',
      'run',
      '--rm',
      '--init',
      '--network=none',
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
      '--pids-limit=4096',
      ...[root, ...(resultsDir === undefined ? [] : [resultsDir])].map(
        (path) => `--mount=type=bind,${csvField(`source=${path}`)},${csvField(`target=${path}`)}`,
      ),
      `--workdir=${root}`,
      ...Object.entries({ CI: 'true', NO_COLOR: '1', ...env }).map(([name, value]) => `--env=${name}=${value}`),
      '--',
      image,
      ...argv,
    ],
  })
}

/** A mount is a line of CSV: a path may have commas and quotes in it. */
function csvField(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
