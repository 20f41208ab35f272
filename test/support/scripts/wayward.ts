import type { Conversation } from '../conversation.ts'
import type { ModelReply, ModelScript } from '../model-server.ts'
import { callFor } from '../tool-dialect.ts'
import { carryOutSpec } from './carry-out-spec.ts'
import { readTask, type Task } from './read-task.ts'

/** Does all it is asked for and claims success, but writes no log. */
export function writesNoLog(conversation: Conversation): ModelReply {
  const reply = carryOutSpec(conversation)
  const isWrite = reply.kind === 'answer' && reply.text === 'Next: write.'
  return isWrite ? { kind: 'answer', text: 'All steps passed.' } : reply
}

/** Runs nothing and writes this front matter. */
export function writesLog(frontMatter: (task: Task) => string): ModelScript {
  return (conversation) => {
    const task = readTask(conversation.prompt)
    if (task === undefined || conversation.results.length > 0) return { kind: 'answer', text: 'All steps passed.' }
    const content = `---\n${frontMatter(task)}\n---\n`
    return { kind: 'answer', calls: [callFor({ kind: 'write', file: task.logFile, content }, conversation)] }
  }
}

/** Runs the command and then writes the log of `writesLog`. */
export function runsFirst(command: string, then: ModelScript): ModelScript {
  return (conversation) => {
    if (conversation.results.length === 0) {
      return { kind: 'answer', calls: [callFor({ kind: 'command', command }, conversation)] }
    }
    return then({ ...conversation, results: conversation.results.slice(1) })
  }
}

/** A script for each spec, by the base name of its file. */
export function bySpec(scripts: Readonly<Record<string, ModelScript>>): ModelScript {
  return (conversation) => {
    const name = readTask(conversation.prompt)?.specFile.split('/').at(-1) ?? ''
    return scripts[name]?.(conversation) ?? { kind: 'answer', text: '{"title":"Scripted run"}' }
  }
}
