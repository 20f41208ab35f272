import type { Conversation, ToolResult } from '../conversation.ts'
import type { ModelReply, ModelScript } from '../model-server.ts'
import { callFor, readCommandResult, readFileResult } from '../tool-dialect.ts'
import type { CommandResult, ModelAction } from '../tool-dialect.ts'
import { readSpecText } from './read-spec-text.ts'
import type { Instruction, SpecSection } from './read-spec-text.ts'
import { readTask } from './read-task.ts'
import { judgeSection, writeLog } from './write-log.ts'
import type { Judgements } from './write-log.ts'

/**
 * A model that does what the prompt asks with the CLI's own tools: reads the spec, runs the commands its prose names
 * (``Run `node notes.mjs add milk` ``), compares what the tools returned with `It prints "…"`, and writes the result
 * log. No outcome is written here: the same script passes on a right program and fails on a broken one.
 */
export function carryOutSpec(conversation: Conversation): ModelReply {
  return carryOut(conversation, {})
}

/** The same with an eye for checks in free words. */
export function carryOutSpecWith(judgements: Judgements): ModelScript {
  return (conversation) => carryOut(conversation, judgements)
}

function carryOut(conversation: Conversation, judgements: Judgements): ModelReply {
  if (conversation.isSideRequest) return { kind: 'answer', text: '{"title":"Scripted run"}' }
  const task = readTask(conversation.prompt)
  if (task === undefined) return { kind: 'answer', text: 'The prompt names no specification and no log.' }
  const [specResult, ...results] = conversation.results
  if (specResult === undefined) return act({ kind: 'read', file: task.specFile }, conversation)
  const sections = readSpecText(readFileResult(specResult, conversation), task)
  const commands = sections.flatMap(({ instructions }) => instructions.flatMap(commandOf))
  const next = commands[results.length]
  if (next !== undefined) return act({ kind: 'command', command: next }, conversation)
  const written = results[commands.length]
  if (written === undefined) {
    const outcomes = judge(
      sections,
      results.map((result) => readCommandResult(result, conversation)),
      judgements,
    )
    return act({ kind: 'write', file: task.logFile, content: writeLog(task, outcomes) }, conversation)
  }
  return { kind: 'answer', text: closingWords(written) }
}

function act(action: ModelAction, conversation: Conversation): ModelReply {
  return { kind: 'answer', text: `Next: ${action.kind}.`, calls: [callFor(action, conversation)] }
}

function commandOf(instruction: Instruction): readonly string[] {
  return instruction.kind === 'run' ? [instruction.command] : []
}

/** Gives each section the results of its own commands. */
function judge(
  sections: readonly SpecSection[],
  results: readonly CommandResult[],
  judgements: Judgements,
): ReturnType<typeof judgeSection>[] {
  let used = 0
  return sections.map((section) => {
    const count = section.instructions.flatMap(commandOf).length
    const own = results.slice(used, used + count)
    used += count
    return judgeSection(section, own, judgements)
  })
}

function closingWords({ text, isError }: ToolResult): string {
  return isError ? `The log could not be written: ${text}` : 'The log is written.'
}
