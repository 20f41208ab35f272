import { basename, dirname } from 'node:path'
import type { Conversation, ToolResult } from '../../support/conversation.ts'
import type { ModelCall } from '../../support/model-reply.ts'
import type { ModelReply, ModelScript } from '../../support/model-server.ts'
import { readTask, type Task } from '../../support/scripts/read-task.ts'
import { callOwn } from '../../support/scripts/report-spec.ts'
import { callFor, readCommandResult, readFileResult } from '../../support/tool-dialect.ts'
import type { RecordedScenario, Wish } from './scenario.ts'

type Playing = Generator<readonly ModelCall[], string, readonly ToolResult[]>

/** A model that does for each spec what its scenario says, and reports each step as passed. */
export function playActs(scenarios: readonly RecordedScenario[]): ModelScript {
  const byFile = new Map(scenarios.map((scenario) => [`${scenario.name}.test.md`, scenario]))
  return (conversation): ModelReply => {
    if (conversation.isSideRequest) return { kind: 'answer', text: '{"title":"Scripted run"}' }
    const task = readTask(conversation.prompt)
    const scenario = byFile.get(basename(task?.specFile ?? ''))
    if (task === undefined || scenario === undefined) return { kind: 'answer', text: 'There is nothing to do.' }
    const playing = carryOut(scenario, task, conversation)
    const results = [...conversation.results]
    let next = playing.next()
    while (!next.done) {
      if (results.length < next.value.length) return { kind: 'answer', text: 'I go on.', calls: next.value }
      next = playing.next(results.splice(0, next.value.length))
    }
    return { kind: 'answer', text: next.value }
  }
}

function* carryOut({ acts }: RecordedScenario, { specFile, steps }: Task, conversation: Conversation): Playing {
  for (const { id, title, checks, values = {} } of steps) {
    const act = acts[title]
    if (act === undefined) return `Nobody knows how to do "${title}".`
    const acting = act({ ...values, specDir: dirname(specFile) })
    let next = acting.next()
    const printed: string[] = []
    while (!next.done) {
      const wishes = next.value
      const results = yield wishes.map((wish) => callFor(wish, conversation))
      const outputs = results.map((result, index) => outputOf(result, { wish: wishes[index], conversation }))
      printed.push(...outputs)
      next = acting.next(outputs)
    }
    const evidence = next.value.map((quote) => ({ quote: wholeLines(quote, printed) }))
    const found = Array.from({ length: checks }, (_, n) => ({ n: n + 1, status: 'pass', observed: 'so', evidence }))
    const report = { step: id, status: 'pass', observed: 'It is as the step says.', evidence, checks: found }
    let [answer] = yield [callFor(callOwn('report_step', report), conversation)]
    while (answer?.text.includes('still checks')) [answer] = yield [callFor(callOwn('next_step'), conversation)]
    if (answer?.text.includes('Stop:')) return 'I was told to stop.'
  }
  return 'All steps are done.'
}

/** Only whole lines count as evidence. */
function wholeLines(quote: string, printed: readonly string[]): string {
  const lines = printed.toReversed().flatMap((output) => output.split('\n'))
  const parts = quote.trim().split('\n')
  return parts.map((part) => lines.find((line) => line.includes(part)) ?? part).join('\n')
}

interface Answering {
  readonly wish: Wish | undefined
  readonly conversation: Conversation
}

function outputOf(result: ToolResult, { wish, conversation }: Answering): string {
  if (wish?.kind === 'read') return readFileResult(result, conversation)
  if (wish?.kind !== 'command') return result.text
  const read = readCommandResult(result, conversation)
  return read.kind === 'ran' ? read.output : read.text
}
