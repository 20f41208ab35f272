import type { Options } from '../../src/plan/options/options.ts'
import { createProject, type Project } from '../support/create-project.ts'
import { startRealAgents, type RealAgents, type RealAgentsSetup } from './start-real-agents.ts'

export { skipReason, skipReasonOf } from './start-real-agents.ts'

/** The agents, and for codex the tools that its model decides. */
export const claude = { title: 'claude', agent: 'claude' } as const // `agent` is one of the option's values
export const codex = { title: 'codex', agent: 'codex', codexModel: 'gpt-5.5' } as const // see the line before
export const codexCodeMode = { title: 'codex in code mode', agent: 'codex', codexModel: 'gpt-6.1-sol' } as const // see above

const openCode = { title: 'opencode', agent: 'opencode', clis: ['opencode'] } as const // see above
export const gemini = { title: 'gemini', agent: 'gemini', clis: ['gemini'] } as const // see above
export const copilot = { title: 'copilot', agent: 'copilot', clis: ['copilot'] } as const // see above
export const qwen = { title: 'qwen', agent: 'qwen', clis: ['qwen'] } as const // see above
export const acpAgents = [openCode, gemini, copilot, qwen] as const // see above
/** Qwen Code takes more memory than all others: it has the tests of one product alone. */
export const lightAcpAgents = [openCode, gemini, copilot] as const // see above

export interface RealProjectSetup extends RealAgentsSetup {
  readonly files: Readonly<Record<string, string>>
  /** Options of `mdtest()`. */
  readonly options?: Options
}

/** A project in which real Vitest runs real agent CLIs, whose only model is a scripted one. */
export interface RealProject extends Pick<RealAgents, 'model' | 'leftovers'>, AsyncDisposable {
  readonly project: Project
  /** What Vitest and `mdtest` have to be started with. */
  readonly env: Readonly<Record<string, string>>
}

/** Makes the project, a home for the CLIs and a model; `await using` removes and ends all of it. */
export async function createRealProject({ files, options = {}, ...setup }: RealProjectSetup): Promise<RealProject> {
  const agents = await startRealAgents(setup)
  const project = await createProject({ 'vitest.config.js': configWith(options), ...files })
  const { env, model, leftovers } = agents
  return {
    project,
    env,
    model,
    leftovers,
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]()
      await agents[Symbol.asyncDispose]()
    },
  }
}

function configWith(options: Options): string {
  return `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})] }\n`
}
