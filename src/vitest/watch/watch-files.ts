import { relative, sep } from 'node:path'
import type { Reporter, TestProject, Vitest } from 'vitest/node'
import type { Host } from '../../host/server/host.ts'
import type { IsSpec } from '../../plan/is-spec.ts'
import { createEarlyReader } from './early-reader.ts'
import { isLog } from '../../records/folders/logs-glob.ts'
import { printLine } from '../reporters/lines/print-line.ts'
import { RerunGuard } from './rerun-guard.ts'
import { isVitestOutput } from '../reporters/lines/vitest-output.ts'
import type { WatchPatterns } from './watch-patterns.ts'

interface WatchOptions {
  readonly patterns: WatchPatterns
  readonly host: Pick<Host, 'isOwnWrite'>
  readonly isSpec: IsSpec
}

/**
 * In watch mode, has specs run again when a file changes that they name in `watch`, and nothing when a file changes that
 * mdtest wrote itself. Of all else Vitest takes care.
 */
export function watchFiles(project: TestProject, { patterns, host, isSpec }: WatchOptions): void {
  const { vitest } = project
  const guard = new RerunGuard()
  const early = createEarlyReader(project, isSpec)
  let isTouching = false
  const touch = (file: string): void => {
    if (isVitestOutput(file, vitest.config)) return
    isTouching = true
    const path = pathIn(vitest, file)
    for (const spec of patterns.specsFor(path)) {
      if (spec === file) continue
      const ruling = guard.judge(spec, performance.now())
      // To return them instead would keep Vitest from running what else the file belongs to.
      if (ruling === 'run') vitest.watcher.onFileChange(spec)
      if (ruling === 'ignored') tellIgnored(vitest, pathIn(vitest, spec), path)
    }
    isTouching = false
  }
  vitest.config.reporters.push(guardingReporter(guard), early.reporter)
  vitest.config.watchTriggerPatterns = [
    ...(vitest.config.watchTriggerPatterns ?? []),
    {
      pattern: /(?:)/,
      testsToRun(file) {
        // What is touched above is told here as well.
        if (isTouching) return early.read(file)
        // An empty list: there is nothing to run, and nothing more to do.
        if (isLog(file) || host.isOwnWrite(file)) return []
        early.read(file)
        return touch(file)
      },
    },
  ]
  // Triggers hear of new and changed files only, and with a file that is gone Vite forgets who has included it.
  const remove = (file: string): void => {
    touch(file)
    isTouching = true
    for (const spec of patterns.includersOf(file)) vitest.watcher.onFileChange(spec)
    isTouching = false
  }
  if (vitest.config.watch) vitest.vite.watcher.on('unlink', remove)
}

function pathIn({ config }: Vitest, file: string): string {
  return relative(config.root, file).split(sep).join('/')
}

function tellIgnored(vitest: Vitest, spec: string, path: string): void {
  const text = `${spec} is not run again for ${path}: that changed while specs ran, and may be their own work. Press \`r\` if it was yours.`
  printLine(vitest, text)
}

function guardingReporter(guard: RerunGuard): Reporter {
  return {
    onTestModuleQueued: ({ moduleId }) => guard.began(moduleId),
    onTestModuleEnd: ({ moduleId }) => guard.ended(moduleId, performance.now()),
    onTestRunEnd: () => guard.endedAll(performance.now()),
  }
}
