import { mkdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Options } from '../../src/plan/options/options.ts'
import { createProject, type Project } from './create-project.ts'
import { startModelServer, type ModelScript, type ModelServer } from './model-server.ts'
import { browserUnavailable } from './open-browser.ts'

/** Why browser specs cannot be run here, for the end of a title; empty where they can. */
export const skipReason = browserUnavailable === undefined ? '' : ` (skipped: ${browserUnavailable})`

/** For a run with several browsers on a machine that others use too. */
export const timeoutMs = 230_000

/** A user's project with browser specs, whose only model is a scripted one. */
export interface BrowserProject extends AsyncDisposable {
  readonly project: Project
  readonly model: ModelServer
  /** What Vitest and `mdtest` have to be started with. */
  readonly env: Readonly<Record<string, string>>
}

interface BrowserSetup {
  readonly script: ModelScript
  readonly files: Readonly<Record<string, string>>
  /** Options of `mdtest()`. */
  readonly options?: Options
  /** Text of the configuration in place of one by these options. */
  readonly config?: (modelUrl: string) => string
  /** Further options of Vitest. */
  readonly test?: Readonly<Record<string, unknown>>
}

/** Makes the project and its model; `await using` ends both. */
export async function createBrowserProject({
  script,
  files,
  options = {},
  test = {},
  config = (modelUrl) =>
    configWith({ agent: 'browser', providerUrl: `${modelUrl}/v1`, minAssurance: 'observed', ...options }, test),
}: BrowserSetup): Promise<BrowserProject> {
  const model = await startModelServer(script)
  const project = await createProject({ 'vitest.config.js': config(model.url), ...files })
  await mkdir(project.path('tmp'))
  return {
    project,
    model,
    env: {
      OPENAI_API_KEY: 'sk-scripted',
      TMPDIR: project.path('tmp'),
      // Whom the browser asks besides the application is among the strays of the model.
      http_proxy: model.url,
      https_proxy: model.url,
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await project[Symbol.asyncDispose]()
    },
  }
}

function configWith(options: Options, test: BrowserSetup['test']): string {
  return `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})], test: ${JSON.stringify(test)} }\n`
}

/** A spec of `fixtures/shop/specs` for a shop at this address. */
export async function shopSpec(name: string, baseUrl: string): Promise<string> {
  const file = new URL(`../../fixtures/shop/specs/${name}.test.md`, import.meta.url)
  const text = await readFile(fileURLToPath(file), 'utf8')
  return text.replace('agent: browser\n', `agent: browser\nbase-url: ${baseUrl}\n`)
}
