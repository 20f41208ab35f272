import { resolve } from 'node:path'
import { pathIn, isInside } from '../../system/files/paths.ts'
import type { TestProject, Vitest } from 'vitest/node'
import type { Host } from '../../host/server/host.ts'
import { isLog } from '../../records/folders/log-names.ts'
import { outputFileOf, printLine } from '../reporters/lines/print-line.ts'
import type { WatchPatterns } from './watch-patterns.ts'

/** Reruns specs if a file that matches `watch` changes. Ignores files that mdtest wrote. */
export function watchFiles(
  project: TestProject,
  { patterns, host }: { readonly patterns: WatchPatterns; readonly host: Pick<Host, 'isOwnWrite'> },
): void {
  const { vitest } = project
  const guard = new RerunGuard()
  let isTouching = false
  const touch = (file: string): void => {
    if (isVitestOutput(file, vitest.config)) return
    isTouching = true
    const path = pathIn(vitest.config.root, file)
    for (const spec of new Set([...patterns.specsFor(path), ...patterns.includersOf(file)])) {
      if (spec === file) continue
      const ruling = guard.judge(spec, performance.now())
      // Do not return the spec from `testsToRun`: Vitest would then skip other tests that depend on the file.
      if (ruling === 'run') vitest.watcher.onFileChange(spec)
      if (ruling === 'ignored')
        printLine(
          vitest,
          `${pathIn(vitest.config.root, spec)} is not run again for ${path}, which changed while specs ran: they may have changed it themselves. Press \`r\` if you did.`,
        )
    }
    isTouching = false
  }
  vitest.config.reporters.push({
    onTestModuleQueued(module) {
      if (module.project === project) guard.began(module.moduleId)
    },
    onTestModuleEnd: ({ moduleId }) => guard.ended(moduleId, performance.now()),
    onTestRunEnd: () => guard.endedAll(performance.now()),
  })
  vitest.config.watchTriggerPatterns = [
    ...(vitest.config.watchTriggerPatterns ?? []),
    {
      pattern: /(?:)/,
      testsToRun(file) {
        // Ignore the call that `onFileChange` above causes.
        if (isTouching) return undefined
        // An empty list tells Vitest to run nothing.
        if (isLog(file) || host.isOwnWrite(file)) return []
        touch(file)
        return undefined
      },
    },
  ]
  // Vitest calls no triggers for deleted files, and forgets which specs included them.
  if (vitest.config.watch) vitest.vite.watcher.on('unlink', touch)
}

/** Whether Vitest itself wrote the file, such as a report, an attachment or coverage. These files start no spec. */
function isVitestOutput(file: string, config: Vitest['config']): boolean {
  const { attachmentsDir, coverage, outputFile, reporters, root } = config
  const folders = ['.vitest', attachmentsDir, ...(coverage.enabled ? [coverage.reportsDirectory] : [])]
  const reports = typeof outputFile === 'string' ? [outputFile] : Object.values(outputFile ?? {})
  const paths: readonly unknown[] = [...folders, ...reports, ...reporters.map(outputFileOf)]
  return paths.some((path) => typeof path === 'string' && isInside(file, resolve(root, path)))
}

/** A file event may arrive this long after the change. */
const settlingMs = 500

/** Prevents endless reruns. While specs run, a change may come from a spec, so it causes no rerun. */
export class RerunGuard {
  readonly #running = new Set<string>()
  readonly #told = new Set<string>()
  #busyUntilMs = 0

  began(spec: string): void {
    this.#told.delete(spec)
    this.#running.add(spec)
  }

  ended(spec: string, nowMs: number): void {
    if (this.#running.delete(spec)) this.#busyUntilMs = nowMs + settlingMs
  }

  /** Ends canceled specs, for which `ended` is not called. */
  endedAll(nowMs: number): void {
    for (const spec of this.#running) this.ended(spec, nowMs)
  }

  /** Whether to rerun a spec. `ignored`: no rerun, tell the user. `known`: no rerun, the user was told before. */
  judge(spec: string, nowMs: number): 'run' | 'ignored' | 'known' {
    if (this.#running.size === 0 && nowMs >= this.#busyUntilMs) {
      this.#told.clear()
      return 'run'
    }
    if (this.#told.has(spec)) return 'known'
    this.#told.add(spec)
    return 'ignored'
  }
}
