import type { Writable } from 'node:stream'
import type { Reporter, Vitest } from 'vitest/node'
import type { Progress, ScenarioAtWork } from '../../../host/protocol/progress.ts'
import { ownsStdout, reportersOnStdout } from './print-line.ts'
import { openStatusLine } from './status-line.ts'
import { reportersOf } from '../../private/untyped-members.ts'
import { extendSummaryWindow } from '../../private/summary-window.ts'
import { relative } from 'node:path'
import { formatSpent } from '../../../records/agent-usage.ts'
import { formatElapsed } from '../../../system/text/format-amounts.ts'
import { cutLine, plainLine } from '../../../system/text/plain-text.ts'

/** How often the status line is drawn, in milliseconds. */
const statusIntervalMs = 250
/** How often a log that nobody watches gets a line about a scenario, in milliseconds. */
const reminderIntervalMs = 30_000
const reminderCheckMs = 1_000
const maxReminderCharacters = 200
/** Most lines in Vitest's own window: it must fit on the screen. */
const maxWindowLines = 8
const minColumns = 20

/**
 * Shows what agents are at while they work: in Vitest's own window where a reporter draws one, else in a status line on a terminal,
 * else in a line per scenario each 30 s. On standard error where standard output belongs to a program.
 */
export function progressReporter(progress: Progress, env: NodeJS.ProcessEnv): Reporter {
  let vitest: Vitest | undefined
  let display: Disposable | undefined
  const close = (): void => {
    process.off('exit', close)
    display?.[Symbol.dispose]()
    display = undefined
  }
  return {
    onInit(started) {
      vitest = started
    },
    onTestRunStart() {
      close()
      if (vitest) display = openDisplay(progress, { vitest, env })
      // A signal ends Vitest without `onTestRunEnd`.
      process.on('exit', close)
    },
    onTestRunEnd: close,
  }
}

interface Surroundings {
  readonly vitest: Vitest
  readonly env: NodeJS.ProcessEnv
}

function openDisplay(progress: Progress, { vitest, env }: Surroundings): Disposable {
  const { root } = vitest.config
  const { logger } = vitest
  const view = (columns: number) => ({ root, nowMs: Date.now(), columns })
  const inWindow = extendSummaryWindow(reportersOf(vitest), (ownRows) => {
    // As in Vitest's own lines, an indent of one.
    const columns = Math.max(minColumns, logger.getColumns() - 2)
    const maxLines = Math.min(maxWindowLines, rowsOf(logger.outputStream) - ownRows - 2)
    if (maxLines < 1) return []
    return formatAllAtWork(progress.atWork, { ...view(columns), maxLines }).map((line) => ` ${line}`)
  })
  if (inWindow) return inWindow
  const isOwned = ownsStdout(reportersOnStdout(vitest))
  const stream = isOwned ? logger.errorStream : logger.outputStream
  if (isTerminal(stream, env)) {
    const line = openStatusLine(stream, [logger.outputStream, logger.errorStream])
    const draw = (): void => line.show(formatStatus(progress.atWork, view(Math.max(minColumns, columnsOf(stream) - 1))))
    return every(statusIntervalMs, draw, line)
  }
  const reminder = createReminder(reminderIntervalMs)
  return every(reminderCheckMs, () => {
    for (const scenario of reminder.due(progress.atWork, Date.now())) {
      const line = `mdtest: ${formatAtWork(scenario, view(maxReminderCharacters))}`
      if (isOwned) logger.error(line)
      else logger.log(line)
    }
  })
}

function every(intervalMs: number, action: () => void, inner?: Disposable): Disposable {
  const timer = setInterval(action, intervalMs)
  timer.unref()
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      inner?.[Symbol.dispose]()
    },
  }
}

function isTerminal(stream: Writable, env: NodeJS.ProcessEnv): boolean {
  return 'isTTY' in stream && stream.isTTY === true && !env.CI && env.TERM !== 'dumb'
}

function columnsOf(stream: Writable): number {
  return 'columns' in stream && typeof stream.columns === 'number' && stream.columns > 0 ? stream.columns : 80
}

function rowsOf(stream: Writable): number {
  return 'rows' in stream && typeof stream.rows === 'number' && stream.rows > 0 ? stream.rows : 24
}

/** Where and when progress is shown. */
interface ProgressView {
  /** Absolute path that specs are named relative to. */
  readonly root: string
  readonly nowMs: number
  /** Longest line, in characters. */
  readonly columns: number
}

/** `notes.test.md > Tick off a note (attempt 2) 1m 05s, 12 k tokens in, 1.2 k out: node notes.mjs list`, in one line. */
export function formatAtWork(scenario: ScenarioAtWork, { root, nowMs, columns }: ProgressView): string {
  const { specFile, title, attempt, startedAtMs, spent, lastCall } = scenario
  const name = `${relative(root, specFile)} > ${title}${attempt > 1 ? ` (attempt ${attempt})` : ''}`
  const numbers = [formatElapsed(nowMs - startedAtMs), ...(spent ? [formatSpent(spent)] : [])]
  const call = lastCall === undefined ? '' : `: ${lastCall}`
  // A long name must not push out what changes.
  const head = cutLine(plainLine(name), Math.max(minNameCharacters, Math.floor(columns / 2)))
  return cutLine(`${head} ${numbers.join(', ')}${plainLine(call)}`, columns)
}

const minNameCharacters = 20

/** The lines of scenarios, at most `maxLines`, the last of which then says how many more there are. */
export function formatAllAtWork(
  scenarios: readonly ScenarioAtWork[],
  { maxLines, ...view }: ProgressView & { readonly maxLines: number },
): readonly string[] {
  if (scenarios.length <= maxLines) return scenarios.map((scenario) => formatAtWork(scenario, view))
  const shown = scenarios.slice(0, Math.max(0, maxLines - 1))
  return [...shown.map((scenario) => formatAtWork(scenario, view)), `… and ${scenarios.length - shown.length} more`]
}

/** The same in one line. */
export function formatStatus(scenarios: readonly ScenarioAtWork[], view: ProgressView): string | undefined {
  const [longest] = scenarios
  if (longest === undefined) return undefined
  const more = scenarios.length > 1 ? ` (+${scenarios.length - 1})` : ''
  return `${formatAtWork(longest, { ...view, columns: view.columns - more.length })}${more}`
}

/** Chooses, whenever it is asked, the scenarios that worked for `intervalMs` since they were last shown, or began. */
export function createReminder(intervalMs: number): {
  due(scenarios: readonly ScenarioAtWork[], nowMs: number): readonly ScenarioAtWork[]
} {
  let shownAtMs: ReadonlyMap<number, number> = new Map()
  return {
    due(scenarios, nowMs) {
      const due = scenarios.filter(({ id, startedAtMs }) => nowMs - (shownAtMs.get(id) ?? startedAtMs) >= intervalMs)
      // Those that have ended are forgotten.
      shownAtMs = new Map(
        scenarios.flatMap((scenario) => {
          const atMs = due.includes(scenario) ? nowMs : shownAtMs.get(scenario.id)
          return atMs === undefined ? [] : [[scenario.id, atMs]]
        }),
      )
      return due
    },
  }
}
