import { relative } from 'node:path'
import type { ScenarioAtWork } from '../../../host/protocol/progress.ts'
import { formatSpent } from '../../../records/agent-usage.ts'
import { formatElapsed } from '../../../system/text/format-elapsed.ts'
import { cutLine, plainLine } from '../../../system/text/plain-text.ts'

/** Where and when progress is shown. */
export interface ProgressView {
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
