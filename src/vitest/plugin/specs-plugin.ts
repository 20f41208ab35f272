import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Plugin } from 'vitest/config'
import { createIsSpec, fileOf, type IsSpec } from '../../plan/spec-files.ts'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { runtimeId, includedModuleId, isIncludedModule } from '../modules/generate-module.ts'
import {
  blockModulesGlob,
  blockSourcesOf,
  generateBlockModule,
  markdownOfModule,
  type BlockSource,
  isExport,
  wrapBlock,
} from '../modules/module-blocks.ts'
import type { SpecsPluginApi } from './plugin-list.ts'
import { setUpProject } from './set-up-project.ts'
import { keepUncached } from '../private-api/untyped-members.ts'
import { sparePlugins } from '../private-api/users-markdown-plugins.ts'
import { WatchPatterns } from '../watch/watch-patterns.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { ownFile } from '../../system/mdtest-package.ts'

/** Vitest imports a module with this name if a spec contains `@vitest-environment`. */
const environmentName = /^vitest-environment-[\w-]+$/
const environmentId = '/@mdtest/environment.js'
/** An empty environment lets the spec load, so that it can report the problem. */
const environmentCode = "export default { name: 'mdtest', viteEnvironment: 'ssr', setup: () => ({ teardown() {} }) }"

interface Placement {
  readonly isOwn: boolean
  /** Whether this Vite server runs specs. In other servers, files named like specs belong to the user. */
  isRunning(): boolean
}

export function specsPlugin(config: SpecsConfig, { isOwn, isRunning }: Placement): Plugin {
  let root = process.cwd()
  let isWatching = false
  const isSpecIn = (dir: string): IsSpec =>
    createIsSpec({ root: dir, include: config.options.include, files: config.files })
  let isSpec = isSpecIn(root)
  const isOurs = (id: string): boolean => isRunning() && (isSpec(id) || markdownOfModule(id) !== undefined)
  const blocks = new Map<string, BlockSource>()
  const patterns = new WatchPatterns()
  const loadSpec = async (file: string) => {
    // Read synchronously, which is faster for a few kilobytes.
    const bytes = readSpec(file, root)
    const text = bytes.toString('utf8')
    // Loaded with the first spec, because projects without specs do not need the parser.
    const { planSpec } = await import('../../plan/plan-spec.ts')
    const planned = planSpec(bytes, { file, root, ...config })
    const included = [...planned.included.keys()]
    const { missing } = planned
    patterns.setIncluded(file, included)
    if (planned.ok) {
      patterns.set(file, planned.plan.spec.frontMatter.watch)
      const { generateModule } = await import('../modules/generate-module.ts')
      const texts = new Map([...planned.included, [file, text]])
      for (const source of blockSourcesOf(planned.plan.spec, texts)) blocks.set(source.id, source)
      return { module: generateModule(planned.plan, text), included, missing }
    }
    const { generateProblems } = await import('../../plan/module-lines.ts')
    return { module: generateProblems(planned, { file, root, text }), included, missing }
  }
  return {
    name: 'mdtest',
    // Run before plugins that claim every `.md` file.
    enforce: 'pre',
    api: { mdtest: { isOwn, config, patterns } satisfies SpecsPluginApi },
    configResolved(resolved) {
      root = resolved.root
      isSpec = isSpecIn(root)
      sparePlugins(resolved, (id) => isRunning() && (isSpec(id) || isIncludedModule(id)))
    },
    resolveId(id, importer, options) {
      if (markdownOfModule(id) !== undefined) return id
      // Vite searches packages from the importer. A block's module is not on disk, so use its markdown file.
      const markdown = importer === undefined ? undefined : markdownOfModule(importer)
      if (markdown !== undefined) return this.resolve(id, markdown, { ...options, skipSelf: true })
      // With `npx`, the project may lack mdtest, so take the runtime from this package.
      if (id === runtimeId) return { id: ownFile(runtimeId), external: true }
      if (isIncludedModule(id)) return id
      return isOwn && environmentName.test(id) ? environmentId : undefined
    },
    async load(id) {
      if (id === environmentId) return environmentCode
      if (isIncludedModule(id)) return ''
      if (isRunning() && isSpec(id)) {
        const { module, included, missing } = await loadSpec(fileOf(id))
        // Add missing files only in watch mode: `--since-last-run` would count a missing file as a changed file.
        for (const file of [...included, ...(isWatching ? missing : [])]) this.addWatchFile(file)
        for (const file of included) {
          if (this.environment.mode === 'dev') await this.environment.warmupRequest(includedModuleId(file))
        }
        return module
      }
      const source = blocks.get(fileOf(id))
      if (source === undefined) return
      this.addWatchFile(source.file)
      return generateBlockModule(source)
    },
    transform: {
      // Run after Vite has removed the types.
      order: 'post',
      handler(code, id) {
        if (markdownOfModule(id) === undefined) return
        const statements = this.parse(code).body
        const exported = statements.find(isExport)
        if (exported)
          this.error('A block cannot `export`, because nothing can import it. Remove `export`.', exported.start)
        return wrapBlock(code, { id, statements })
      },
    },
    async configureVitest(context) {
      const { vitest, project } = context
      isWatching = vitest.config.watch
      keepUncached(context, isOurs)
      const { coverage } = vitest.config
      coverage.exclude = [...new Set([...coverage.exclude, ...config.options.include, blockModulesGlob])]
      if (isOwn) await setUpProject(vitest, project, config)
    },
  }
}

function readSpec(file: string, root: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error: unknown) {
    const message = `${relative(root, file)} cannot be read: ${describeFileError(error)}.`
    throw new MdtestError('SPEC_UNREADABLE', message, { hint: 'Make it a file that can be read.', cause: error })
  }
}
