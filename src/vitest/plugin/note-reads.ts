import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node'
import type { HostOptions } from '../../host/server/host.ts'
import { changing, openStates, writeLastReads, type LastReads } from '../../plan/rests-on/last-reads.ts'
import { lastReadsOf, readingCode, sharedPaths } from '../../plan/rests-on/rests-on.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { orNothing } from '../../system/error-facts.ts'
import { isInside } from '../../system/files/paths.ts'
import { hasSpecEnding } from '../../system/spec-endings.ts'
import type { WatchPatterns } from '../watch/watch-patterns.ts'

/** Records which files each spec read or imported in a run. */
export function noteReads(
  project: TestProject,
  config: SpecsConfig & { readonly configFiles: readonly string[] },
  patterns: WatchPatterns | undefined,
): Pick<HostOptions, 'onTrace'> & { readonly reporter: Reporter } {
  const { configFiles } = config
  const { root, mergeReports } = project.vitest.config
  const traces = new Map<string, string>()
  let stateOf = openStates(root)
  let shared: readonly string[] = []
  let ended: Promise<readonly [spec: string, LastReads]>[] = []
  return {
    onTrace: (spec, trace) => void traces.set(spec, (traces.get(spec) ?? '') + trace),
    reporter: {
      onTestRunStart() {
        ended = []
        stateOf = openStates(root, Date.now())
        shared = sharedPaths(root, configFiles)
      },
      onTestModuleEnd(module) {
        const { moduleId: file, relativeModuleId: spec } = module
        if (module.project !== project || mergeReports !== undefined) return
        const trace = traces.get(file) ?? ''
        traces.delete(file)
        const tests = [...module.children.allTests()]
        const isPassed =
          module.ok() && tests.every((test) => test.options.mode === 'todo' || test.result().state === 'passed')
        const { files, isReaching } = modulesOf(module)
        const unseen = isReaching ? `${JSON.stringify({ unseen: 'its code reads files or starts programs' })}\n` : ''
        const ran = { stateOf, trace: trace + unseen, isPassed, modules: files, shared }
        ended.push(lastReadsOf(file, { ...config, root, ...ran }).then((each) => [spec, each]))
      },
      async onTestRunEnd() {
        const all = await Promise.all(ended)
        for (const [spec, { files }] of project.vitest.config.watch ? all : []) {
          // Do not watch files that the spec changes (an endless loop) or configuration files (they restart Vitest).
          const paths = Object.keys(files)
            .filter((path) => files[path] !== changing)
            .map((path) => join(root, path))
          const watched = paths.filter((path) => !configFiles.includes(path))
          patterns?.addIncluded(join(root, spec), watched)
          // Vite watches only files below the root, so add the others.
          project.vitest.vite.watcher.add(watched.filter((path) => !isInside(path, root)))
        }
        if (all.length > 0) writeLastReads(project.vitest.vite.config.cacheDir, Object.fromEntries(all))
      },
    },
  }
}

export function globalSetupOf({ config }: Vitest): readonly string[] {
  return [config.globalSetup ?? []].flat()
}

type ModuleNode = NonNullable<ReturnType<TestProject['vite']['environments']['ssr']['moduleGraph']['getModuleById']>>

/** Matches modules that can read files, start programs or use the network: of Node.js, and of most packages. */
const reachingOut =
  /^(?:node:)?(?:fs|child_process|cluster|module|worker_threads|http|https|http2|net|sqlite|wasi)(?:\/\w+)?$|\/node_modules\/(?!\.|@?vitest\b)/

/** Files that a spec's code imported. `isReaching`: whether this code can read other files as well. */
function modulesOf({ project, moduleId }: TestModule) {
  const seen = new Set<ModuleNode>()
  let isReaching = false
  const follow = (node: ModuleNode): void => {
    if (seen.has(node) || node.file?.includes('/node_modules/') === true) return
    seen.add(node)
    const { deps = [], dynamicDeps = [] } = node.transformResult ?? {}
    // The generated module of the spec always matches `reachingOut`, so skip it.
    isReaching ||= node.id !== moduleId && [...deps, ...dynamicDeps].some((name) => reachingOut.test(name))
    isReaching ||=
      node.file !== moduleId && readingCode.test(orNothing(() => readFileSync(node.file ?? '', 'utf8')) ?? '')
    // Skip specs, because Vite lists included markdown as imports, too.
    for (const imported of node.importedModules) if (!hasSpecEnding(imported.id ?? '')) follow(imported)
  }
  const { vitest } = project
  const graphs = [project.vite, vitest.vite].flatMap(({ environments }) => Object.values(environments))
  for (const file of [moduleId, ...globalSetupOf(vitest)])
    for (const { moduleGraph } of graphs) for (const node of moduleGraph.getModulesByFile(file) ?? []) follow(node)
  return { files: new Set([...seen].flatMap(({ file }) => file ?? [])), isReaching }
}
