import { askAgent, type Answer, type Question } from '../../agents/ask-agent.ts'
import { makeFolder } from '../../system/files/write-file.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import { createMark } from '../../system/process/trees/marks.ts'

/** Where an agent works. */
export interface AskContext extends Pick<Question, 'env' | 'folder' | 'ground' | 'redactor'> {
  /** Absolute path of the project: its working directory. */
  readonly root: string
  /** Starts it, and ends it should we die. */
  readonly trees: LiveTrees
  /** What everything of this process carries in `MDTEST_MARKS`. */
  readonly runMark: string
  readonly signal: AbortSignal
}

/** What an agent is asked, whoever asks. */
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
