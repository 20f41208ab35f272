import { existsSync } from 'node:fs'
import type { Conversation } from '../support/conversation.ts'
import type { ModelReply, ModelScript } from '../support/model-server.ts'
import { playTurn, type Turn } from '../support/scripts/report-spec.ts'

/** What the model of an implementer does in one attempt, in this order. Paths are relative to the project. */
export interface Attempt {
  readonly write?: Readonly<Record<string, string>>
  readonly remove?: readonly string[]
  readonly run?: string
  /** Its last words: what it says that it did, or what happens in their place. */
  readonly end: string | ModelReply
}

/** Waits in a command that may run with `mayWait`, and shows that it does by the file `started`. Then its model is silent. */
export const waits: Attempt = {
  run: `node -e "require('node:fs').writeFileSync('started', ''); setTimeout(() => {}, 1e6)"`,
  end: { kind: 'silence' },
}
export const mayWait: readonly string[] = ['--allow', 'Bash(node *)']

/** A model that knows what to do in each attempt; the last one is repeated. Other roles get what they ask for. */
export function playAttempts(attempts: readonly Attempt[], root: string): ModelScript {
  return playTurn(function* (conversation) {
    const { prompt } = conversation
    if (prompt.startsWith('You write the task')) {
      return answer({ task: 'Look at it from the other side.', focus: [], avoid: [] }, conversation)
    }
    // It asks for an answer once more.
    if (!prompt.includes('# Make failing tests pass')) return answer(status('Said it once more.'), conversation)
    const attempt = attempts[Math.min(triedIn(prompt), attempts.length - 1)]
    return attempt === undefined ? 'There is nothing to do.' : yield* make(attempt, { conversation, root })
  })
}

/** Attempts of which a prompt tells. */
function triedIn(prompt: string): number {
  return Math.max(0, ...[...prompt.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number)))
}

function* make(
  { write = {}, remove = [], run, end }: Attempt,
  { conversation, root }: { readonly conversation: Conversation; readonly root: string },
): Turn<ModelReply> {
  for (const [file, content] of Object.entries(write)) {
    const path = `${root}/${file}`
    const isThere = existsSync(path)
    const { text } = yield { kind: 'read', file: path }
    yield { kind: 'write', file: path, content, over: isThere ? text : undefined }
  }
  for (const file of remove) yield { kind: 'command', command: `rm '${file}'` }
  if (run !== undefined) yield { kind: 'command', command: run }
  return typeof end === 'string' ? answer(status(end), conversation) : end
}

function status(summary: string): object {
  return { status: 'done', summary, root_cause: 'A bug.', changed_files: [] }
}

/** Claude Code has a tool for it, and asks until it was used. */
function answer(value: object, { tools }: Conversation): ModelReply {
  if (!tools.includes('StructuredOutput')) return { kind: 'answer', text: JSON.stringify(value) }
  return { kind: 'answer', calls: [{ name: 'StructuredOutput', input: { ...value } }] }
}
