import type { Writable } from 'node:stream'
import type { Reporter, Vitest } from 'vitest/node'
import type { Progress } from '../../../host/protocol/progress.ts'
import { ownsStdout } from '../owns-stdout.ts'
import { createReminder, formatAllAtWork, formatAtWork, formatStatus } from './progress-lines.ts'
import { reportersOnStdout } from '../reporters-on-stdout.ts'
import { openStatusLine } from './status-line.ts'
import { extendSummaryWindow } from '../../private/summary-window.ts'

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
  // Not in Vitest's types.
  const inWindow = extendSummaryWindow(Reflect.get(vitest, 'reporters'), (ownRows) => {
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
