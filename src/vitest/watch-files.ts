import { relative, resolve, sep } from 'node:path'
import type { Reporter, Vitest } from 'vitest/node'
import type { Host } from '../host/host.ts'
import { isInnerPath } from '../spec/is-inner-path.ts'
import { isLog } from './logs-glob.ts'
import { RerunGuard } from './rerun-guard.ts'
import type { WatchPatterns } from './watch-patterns.ts'

/**
 * In watch mode, has specs run again when a file changes that they name in `watch`, and nothing when a file changes that
 * mdtest wrote itself. Of all else Vitest takes care.
 */
export function watchFiles(vitest: Vitest, patterns: WatchPatterns, host: Pick<Host, 'isOwnWrite'>): void {
  const guard = new RerunGuard()
  let isTouching = false
  const touch = (file: string): void => {
    if (isTouching || isOutput(vitest, file)) return
    isTouching = true
    try {
      for (const spec of patterns.specsFor(relative(vitest.config.root, file).split(sep).join('/'))) {
        // To return them would keep Vitest from running the other tests that the file belongs to.
        if (spec !== file && guard.admits(spec, performance.now())) vitest.watcher.onFileChange(spec)
      }
    } finally {
      isTouching = false
    }
  }
  vitest.config.reporters.push(guardingReporter(guard))
  vitest.config.watchTriggerPatterns = [
    ...(vitest.config.watchTriggerPatterns ?? []),
    {
      pattern: /(?:)/,
      testsToRun(file) {
        // Nothing to run, and nothing more to do.
        if (isLog(file) || host.isOwnWrite(file)) return []
        return touch(file)
      },
    },
  ]
  // Triggers hear of new and changed files only.
  if (vitest.config.watch) vitest.vite.watcher.on('unlink', touch)
}

function guardingReporter(guard: RerunGuard): Reporter {
  return {
    onTestModuleQueued: ({ moduleId }) => guard.began(moduleId),
    onTestModuleEnd: ({ moduleId }) => guard.ended(moduleId, performance.now()),
    onTestRunEnd: () => guard.endedAll(performance.now()),
  }
}

/** What Vitest writes itself is no source of a spec, whatever its patterns match. */
function isOutput({ config }: Vitest, file: string): boolean {
  const { outputFile, attachmentsDir, coverage, root } = config
  const files = typeof outputFile === 'string' ? [outputFile] : Object.values(outputFile ?? {})
  const ofReporters = config.reporters.flatMap((reporter) => {
    const options: unknown = Array.isArray(reporter) ? reporter[1] : undefined
    const path: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'outputFile') : undefined
    return typeof path === 'string' ? [path] : []
  })
  const folders = ['.vitest', attachmentsDir, ...(coverage.enabled ? [coverage.reportsDirectory] : [])]
  return [...files, ...ofReporters, ...folders].some((path) => {
    const place = resolve(root, path)
    return file === place || isInnerPath(relative(place, file))
  })
}
