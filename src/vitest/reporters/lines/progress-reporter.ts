import { relative } from 'node:path'
import type { Reporter, TestCase, Vitest } from 'vitest/node'
import type { Progress, ScenarioAtWork } from '../../../host/protocol/agents-at-work.ts'
import { formatSpent } from '../../../records/tokens-and-cost.ts'
import { cutLine, plainLine } from '../../../system/text/plain-text.ts'
import { printLine, reportersOnStdout } from './print-line.ts'
import { formatElapsed } from '../../../system/text/wording.ts'

const reminderIntervalMs = 60_000
const reminderCheckMs = 1_000
/** Reporters that get no progress lines: `verbose` and `tree` print each test, and lines would disturb `dot`. */
const printEachTest = new Set(['verbose', 'tree', 'dot'])
const maxNameCharacters = 100
const maxLineCharacters = 200

/** Prints a line for each finished agent step, and every minute a line for each running scenario. */
export function progressReporter(progress: Progress): Reporter {
  let vitest: Vitest | undefined
  let timer: NodeJS.Timeout | undefined
  let beforeMs = Date.now()
  const remind = (): void => {
    if (!vitest) return
    const view = { root: vitest.config.root, nowMs: Date.now() }
    for (const scenario of progress.atWork) {
      const intervals = (atMs: number): number => Math.floor((atMs - scenario.startedAtMs) / reminderIntervalMs)
      const isDue = intervals(view.nowMs) > Math.max(0, intervals(beforeMs))
      if (isDue) printLine(vitest, `mdtest: ${formatAtWork(scenario, view)}`)
    }
    beforeMs = view.nowMs
  }
  return {
    onInit(started) {
      vitest = started
    },
    onTestRunStart() {
      clearInterval(timer)
      timer = setInterval(remind, reminderCheckMs).unref()
    },
    onTestCaseResult(test) {
      if (!vitest || vitest.config.mergeReports) return
      // Look up the reporters only for agent steps, which are rare.
      const line = formatSettled(test, vitest.config.root)
      if (line === undefined || reportersOnStdout(vitest).some((name) => printEachTest.has(name))) return
      printLine(vitest, `mdtest: ${line}`)
    },
    onTestRunEnd() {
      clearInterval(timer)
    },
  }
}

function formatSettled(test: TestCase, root: string): string | undefined {
  const { source, outcome, assurance } = test.meta().mdtest ?? {}
  if (source?.kind !== 'agent' && source?.kind !== 'handed-over') return undefined
  const name = `${relative(root, test.module.moduleId)} > ${test.fullName}`
  return plainLine(`${name}: ${[outcome, assurance].filter((part) => part !== undefined).join(', ')}`)
}

/** Formats `notes.test.md > Tick off (attempt 2) 1m 05s, 12 k tokens in, 1.2 k out: node notes.mjs list`. */
export function formatAtWork(
  { specFile, title, attempt, startedAtMs, spent, lastCall }: ScenarioAtWork,
  { root, nowMs }: { readonly root: string; readonly nowMs: number },
): string {
  const name = `${relative(root, specFile)} > ${title}${attempt > 1 ? ` (attempt ${attempt})` : ''}`
  const numbers = [formatElapsed(nowMs - startedAtMs), ...(spent ? [formatSpent(spent)] : [])]
  const call = lastCall === undefined ? '' : `: ${lastCall}`
  // Shorten a long name, so that there is room for the numbers and the call.
  const head = cutLine(plainLine(name), maxNameCharacters)
  return cutLine(`${head} ${numbers.join(', ')}${plainLine(call)}`, maxLineCharacters)
}
