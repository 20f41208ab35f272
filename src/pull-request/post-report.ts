import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../system/error-facts.ts'
import { countSteps, describeCounts, jobEntries, marks, outcomeOfCell, type Place } from './job-results.ts'
import { commentMark, isNewer, readCells, withCell, writeComment, type WrittenCell } from './comment.ts'
import type { GitHubApi } from './github-api.ts'
import { putLineComments } from './line-comments.ts'
import type { ReadReport } from './read-report.ts'
import type { Workflow } from './workflow.ts'

export interface PostOptions {
  /** Whether to return what would be sent, without contacting GitHub. */
  readonly isDryRun?: boolean
  /** Name of this job's results. Default: the names of workflow and job. */
  readonly suite?: string
  /** URL of the report's folder. Absent if the report is not hosted. */
  readonly reportUrl?: string
}

/** The result of posting. `body` is the text of the comment: a job can print it if nothing was sent. */
export interface Posted {
  readonly isSent: boolean
  readonly message: string
  readonly body: string
}

/** Posts the results to the pull request. Never throws: an error is returned as the message. */
export async function postReport(
  report: ReadReport,
  { workflow, github, ...options }: PostOptions & { readonly workflow: Workflow; readonly github: () => GitHubApi },
): Promise<Posted> {
  const { isDryRun = false, suite = workflow.name, reportUrl } = options
  const { run, attempt, job, repository } = workflow
  const place: Place = { repository, ...(reportUrl !== undefined && { reportUrl }) }
  const cell: WrittenCell = {
    ...{ name: suite, run, attempt, job, commit: repository.commit, outcome: outcomeOfCell(report) },
    ...{ steps: countSteps(report), wallTimeMs: report.wallTimeMs, entries: jobEntries(report, place), hidden: 0 },
    ...(report.costUsd !== undefined && { costUsd: report.costUsd }),
  }
  const body = writeComment([cell])
  const told = (message: string, isSent = false): Posted => ({ isSent, message, body })
  if (isDryRun) return told('github: nothing is sent (`--dry-run`).')
  if (workflow.token === undefined)
    return told('github: no comment, because there is no `GITHUB_TOKEN`. The results are in the summary of the job.')
  try {
    const api = github()
    if (workflow.isAfterwards) await api.addCheckRun(checkRunOf(cell, body))
    const number = workflow.pullRequest ?? (await api.findPullRequest(repository.commit))
    if (number === undefined && workflow.isAfterwards) return told('github: a check, but no open pull request.', true)
    if (number === undefined) return told('github: no comment, because the commit belongs to no open pull request.')
    await putComment(api, number, cell)
    const besides = await putLineComments(api, { number, report, place, suite }).then(
      (lines) => (lines === 0 ? '' : `, ${lines} of them at changed lines`),
      (error: unknown) => `, but not at its changed lines (${messageOf(error)})`,
    )
    return told(`github: the results are in pull request ${number}${besides}.`, true)
  } catch (error: unknown) {
    const { status } = error as { readonly status?: unknown } // only errors of the GitHub client have a status
    const why =
      status === 403 || status === 404
        ? 'the token may not write, as in a pull request from a fork; `docs/pull-requests.md` has a workflow for that'
        : messageOf(error)
    return told(`github: no comment (${why}). The results are in the summary of the job.`)
  }
}

function checkRunOf(cell: WrittenCell, body: string): Parameters<GitHubApi['addCheckRun']>[0] {
  const { commit, outcome, steps } = cell
  const title = `${marks[outcome]} ${describeCounts(steps)}`
  // GitHub limits this text in bytes, not in characters.
  const summary = Buffer.from(body).subarray(0, 65_000).toString('utf8')
  return { commit, isPassed: outcome === 'pass' || outcome === 'skipped', title, summary }
}

const maxTries = 20
const maxPauseMs = 1_000

/**
 * Adds a cell to the comment that all jobs share. GitHub has no locks, so another job may overwrite the cell.
 * Therefore the comment is read again after a pause, until it contains the cell twice in a row.
 */
async function putComment(api: GitHubApi, number: number, own: WrittenCell): Promise<void> {
  let wasThere = false
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const [first, ...more] = await api.ownComments(number, commentMark)
    const known = [first, ...more].flatMap((comment) => (comment === undefined ? [] : readCells(comment.body)))
    const cells = known.reduce(withCell, [] as readonly WrittenCell[])
    const isThere = more.length === 0 && cells.some((cell) => isSameCell(cell, own) || isNewer(cell, own))
    if (isThere && wasThere) return
    wasThere = isThere
    if (!isThere) {
      const body = writeComment(withCell(cells, own))
      if (first === undefined) await api.addComment(number, body)
      else
        await api.changeComment(first.id, body).catch((error: unknown) => {
          // Somebody may have deleted the comment in the meantime, so try once more.
          if (tries > 1) throw error
        })
      for (const { id } of more) await api.removeComment(id).catch(() => undefined)
    }
    await sleep(maxPauseMs / 2 + randomInt(maxPauseMs / 2))
  }
  throw new Error('other jobs write to the comment all the time')
}

function isSameCell(one: WrittenCell, other: WrittenCell): boolean {
  const facts = ({ name, run, attempt, job, commit, steps, wallTimeMs }: WrittenCell): string =>
    JSON.stringify([name, run, attempt, job, commit, steps, wallTimeMs])
  return facts(one) === facts(other)
}
