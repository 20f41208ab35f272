import type { FinishedAct } from '../session/history.ts'
import type { Action } from './next-action.ts'

const doing: Readonly<Record<Exclude<Action['kind'], 'stop'>, string>> = {
  'configure-tests': 'finds out how the tests run',
  'run-tests': 'runs the tests',
  'write-prompt': 'writes the prompt',
  implement: 'asks the agent for a fix',
  'roll-back': 'undoes the attempt',
  summarize: 'sums up',
  'start-session': 'begins a new session of the agent',
}

const why: Readonly<Record<string, string>> = {
  'after-attempt': 'after the attempt',
  'confirm-failing': 'once more: is it flaky?',
  'confirm-passing': 'once more: is it sure?',
  'protected-files': 'it changed what may not be changed',
  'made-worse': 'it made other tests fail',
  'tests-lost': 'tests that ran before were not executed any more',
  stuck: 'no progress',
  context: 'the window of the model is full',
}

/** What is about to be done, a line for people. */
export function describeAction(action: Exclude<Action, { kind: 'stop' }>): string {
  const detail = 'purpose' in action ? why[action.purpose] : 'reason' in action ? why[action.reason] : undefined
  return detail === undefined ? doing[action.kind] : `${doing[action.kind]} (${detail})`
}

/** What came of it. */
export function describeAct(act: FinishedAct): string {
  switch (act.kind) {
    case 'tests-configured':
      return `by ${act.runner ?? 'a script'}`
    case 'tests-ran':
      return `${act.failing.length} of ${act.total} tests failed${act.others.length === 0 ? '' : `, ${act.others.length} outside the scope`}${act.blocked.length === 0 ? '' : `, ${act.blocked.length} could not be tried`}`
    case 'attempt-made':
      return `${act.outcome}: ${act.summary.replaceAll(/\s+/g, ' ').slice(0, 200)}`
    case 'rolled-back':
      return `undone: ${[why[act.reason], ...act.names].join(', ')}`
    case 'waited':
      return act.reason
    case 'broke':
      return act.message
    case 'prompt-written':
    case 'summarized':
    case 'session-started':
    case 'resumed':
      return act.kind.replace('-', ' ')
    default:
      return act satisfies never
  }
}
