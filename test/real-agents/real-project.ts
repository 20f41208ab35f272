import type { Options } from '../../src/plan/options/options.ts'
import { createProject, type Finished, type Project } from '../support/create-project.ts'
import { isDeep } from '../support/depth.ts'
import type { CliName } from './find-real-clis.ts'
import { startRealAgents, type RealAgents, type RealAgentsSetup } from './start-real-agents.ts'

export { skipReason, skipReasonOf } from './start-real-agents.ts'

/** An agent, and for codex the tools that its model decides. */
export interface Product extends Pick<RealAgentsSetup, 'codexModel' | 'clis'> {
  readonly title: string
  readonly agent: CliName
}

export const claude = { title: 'claude', agent: 'claude' } as const // `agent` is one of the option's values
export const codex = { title: 'codex', agent: 'codex', codexModel: 'gpt-5.5' } as const // see the line before
export const codexCodeMode = { title: 'codex in code mode', agent: 'codex', codexModel: 'gpt-6.1-sol' } as const // see above

export const openCode = { title: 'opencode', agent: 'opencode', clis: ['opencode'] } as const // see above
export const gemini = { title: 'gemini', agent: 'gemini', clis: ['gemini'] } as const // see above
export const copilot = { title: 'copilot', agent: 'copilot', clis: ['copilot'] } as const // see above
export const qwen = { title: 'qwen', agent: 'qwen', clis: ['qwen'] } as const // see above
export const acpAgents = [openCode, gemini, copilot, qwen] as const // see above
/** Qwen Code takes more memory than all others: it has the tests of one product alone. */
export const lightAcpAgents = [openCode, gemini, copilot] as const // see above

/** The first alone, which has the behaviour every time; each of them in a deep run. */
export function sampleOf<Item>(items: readonly Item[]): readonly Item[] {
  return isDeep ? items : items.slice(0, 1)
}

export interface RealProjectSetup extends RealAgentsSetup {
  readonly files: Readonly<Record<string, string>>
  /** Is the option `agent`, unless the options name another one. */
  readonly product?: Product
  /** Options of `mdtest()`. */
  readonly options?: Options
}

/** A project in which real Vitest runs real agent CLIs, whose only model is a scripted one. */
export interface RealProject extends Pick<RealAgents, 'model' | 'leftovers'>, AsyncDisposable {
  readonly project: Project
  /** What Vitest and `mdtest` have to be started with. */
  readonly env: Readonly<Record<string, string>>
  /** Starts them with it, and with these variables. */
  vitest(args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<Finished>
  mdtest(args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<Finished>
}

/** Far, for a machine of any speed. */
const timeoutMs = 280_000

/** Makes the project, a home for the CLIs and a model; `await using` removes and ends all of it. */
export async function createRealProject(setup: RealProjectSetup): Promise<RealProject> {
  const { files, product, options = {}, ...given } = setup
  const agents = await startRealAgents({ ...product, ...given })
  const config = configWith({ ...(product && { agent: product.agent }), ...options })
  const project = await createProject({ 'vitest.config.js': config, ...files })
  const { env, model, leftovers } = agents
  return {
    project,
    env,
    model,
    leftovers,
    vitest: (args, variables) => project.vitest(args, { env: { ...env, ...variables }, timeoutMs }),
    mdtest: (args, variables) => project.mdtest(args, { env: { ...env, ...variables }, timeoutMs }),
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]()
      await agents[Symbol.asyncDispose]()
    },
  }
}

function configWith(options: Options): string {
  return `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})] }\n`
}
