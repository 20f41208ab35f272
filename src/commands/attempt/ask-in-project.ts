import { askAgent, type Answer, type Question } from '../../agents/ask-agent.ts'
import { makeFolder } from '../../system/files/write-file.ts'
import { createMark } from '../../system/process/trees/marks.ts'
import type { ProgramContext } from '../../system/process/run-command.ts'

/** Where an agent works. */
export interface AskContext extends ProgramContext, Pick<Question, 'folder' | 'ground'> {
  /** Absolute path of the project: its working directory. */
  readonly root: string
  readonly signal: AbortSignal
}

/** What `gate` and `fix` ask of an agent. */
export type ProjectQuestion = Pick<
  Question,
  | 'agent'
  | 'prompt'
  | 'schema'
  | 'sessionId'
  | 'allow'
  | 'mcpServers'
  | 'dangerouslyAllowAllActions'
  | 'maxCostUsd'
  | 'hardTimeoutMs'
  | 'silenceTimeoutMs'
>

/** Asks an agent once, in the project itself and without network. Its folder is made. */
export async function askInProject(question: ProjectQuestion, context: AskContext): Promise<Answer> {
  const { root, env, folder, ground, redactor, trees, runMark, signal } = context
  makeFolder(ground, folder)
  return await askAgent({
    ...question,
    ...{ cwd: root, env, network: false, folder, ground, redactor, runMark, signal },
    privateFolder: trees.makeTempDir(),
    launcher: await trees.launcher(),
    mark: createMark(),
  })
}
