import { statSync } from 'node:fs'
import type { Reporter, TestProject } from 'vitest/node'
import type { IsSpec } from '../../plan/is-spec.ts'

/** Reads saved specs while Vitest waits for more changes before it runs anything. */
export interface EarlyReader {
  read(file: string): void
  /** Drops what was read of files that have changed since: an editor may write in several steps. */
  readonly reporter: Reporter
}

export function createEarlyReader({ vite, vitest }: TestProject, isSpec: IsSpec): EarlyReader {
  const stamps = new Map<string, string>()
  return {
    read(file) {
      if (!isSpec(file)) return
      stamps.set(file, stampOf(file))
      for (const environment of Object.values(vite.environments)) {
        const module = environment.moduleGraph.getModuleById(file)
        // What is wrong with it is told by its run.
        if (module) environment.transformRequest(module.url).catch(() => {})
      }
    },
    reporter: {
      onTestRunStart() {
        for (const [file, stamp] of stamps) if (stampOf(file) !== stamp) vitest.invalidateFile(file)
        stamps.clear()
      },
    },
  }
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs} ${stats.size}` : ''
}
