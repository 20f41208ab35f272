import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import { retry } from '@octokit/plugin-retry'
import { version } from '../system/mdtest-package.ts'
import type { Workflow } from './workflow.ts'

export interface GitHubComment {
  readonly id: number
  readonly body: string
}

export interface LineComment {
  readonly path: string
  readonly line: number
  readonly body: string
}

export interface CheckRun {
  readonly commit: string
  readonly isPassed: boolean
  readonly title: string
  readonly summary: string
}

/** Requests to GitHub. They wait for rate limits and are repeated after an error of GitHub's server. */
export interface GitHubApi {
  /** Number of the open pull request whose last commit is `commit`. */
  findPullRequest(commit: string): Promise<number | undefined>
  /** Comments by this user that begin with `mark`, oldest first. */
  ownComments(pullRequest: number, mark: string): Promise<readonly GitHubComment[]>
  addComment(pullRequest: number, body: string): Promise<GitHubComment>
  changeComment(id: number, body: string): Promise<void>
  removeComment(id: number): Promise<void>
  /** The numbers of the lines that a pull request adds or changes, for each path. */
  changedLines(pullRequest: number): Promise<ReadonlyMap<string, ReadonlySet<number>>>
  ownLineComments(pullRequest: number, mark: string): Promise<readonly (LineComment & GitHubComment)[]>
  addLineComments(pullRequest: number, commit: string, comments: readonly LineComment[]): Promise<void>
  removeLineComment(id: number): Promise<void>
  addCheckRun(run: CheckRun): Promise<void>
}

interface ApiOptions extends Pick<Workflow, 'api' | 'base' | 'token'> {
  /** How long one second of waiting takes, in milliseconds. Tests use less. @default 1000 */
  readonly secondMs?: number
}

const maxTries = 3
const maxWaitSeconds = 60

/** Repeats a request that GitHub refused because of a rate limit, if the wait is at most a minute. */
function waitForLimits(client: Octokit): void {
  client.hook.error('request', (error) => {
    if ('response' in error && (error.status === 403 || error.status === 429)) {
      const { headers = {} } = error.response ?? {}
      const resetSeconds = Number(headers['x-ratelimit-reset']) - Date.parse(headers.date ?? '') / 1000
      const seconds = Number(headers['retry-after'] ?? (headers['x-ratelimit-remaining'] === '0' ? resetSeconds : NaN))
      if (seconds <= maxWaitSeconds)
        Object.assign(error.request, { request: { retries: maxTries, retryAfter: Math.max(1, Math.ceil(seconds)) } })
    }
    throw error
  })
}

// Keep this order: the retry plugin reads what `waitForLimits` has stored in an error.
const Client = Octokit.plugin(paginateRest, waitForLimits, retry)

interface Found {
  readonly id: number | bigint
  readonly body?: string | null | undefined
  readonly user?: { readonly login: string } | null | undefined
}

export function openGitHub({ api, base, token, secondMs = 1000 }: ApiOptions): GitHubApi {
  const client = new Client({
    ...{ baseUrl: api, auth: token, userAgent: `vitest-mdtest/${version()}` },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    retry: { retries: maxTries, retryAfterBaseValue: secondMs },
  })
  const [owner = '', repo = ''] = base.split('/')
  const at = { owner, repo }
  /** Our login, requested once. GitHub refuses this request for the token of GitHub Actions. */
  let login: Promise<string> | undefined
  const own = (): Promise<string> =>
    (login ??= client.request('GET /user').then(
      ({ data }) => data.login,
      () => 'github-actions[bot]',
    ))
  const isOwn = async (found: readonly Found[], mark: string): Promise<readonly GitHubComment[]> => {
    const name = await own()
    return found.flatMap((one) =>
      one.user?.login === name && one.body?.startsWith(mark) ? [{ id: Number(one.id), body: one.body }] : [],
    )
  }
  return {
    async findPullRequest(commit) {
      // Search all open pull requests, because GitHub's search by commit does not find those from forks.
      const open = await client.paginate('GET /repos/{owner}/{repo}/pulls', { ...at, state: 'open', per_page: 100 })
      return open.find(({ head }) => head.sha === commit)?.number
    },
    async ownComments(pullRequest, mark) {
      const all = await client.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...{ ...at, issue_number: pullRequest, per_page: 100 },
      })
      return (await isOwn(all, mark)).toSorted((one, other) => one.id - other.id)
    },
    async addComment(pullRequest, body) {
      const asked = { ...at, issue_number: pullRequest, body }
      const { data } = await client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', asked)
      return { id: Number(data.id), body }
    },
    async changeComment(id, body) {
      await client.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...at, comment_id: id, body })
    },
    async removeComment(id) {
      await client.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...at, comment_id: id })
    },
    async changedLines(pullRequest) {
      const files = await client.paginate('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', {
        ...{ ...at, pull_number: pullRequest, per_page: 100 },
      })
      return new Map(files.map(({ filename, patch = '' }) => [filename, addedLines(patch)]))
    },
    async ownLineComments(pullRequest, mark) {
      const all = await client.paginate('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', {
        ...{ ...at, pull_number: pullRequest, per_page: 100 },
      })
      const places = new Map(all.map(({ id, path, line }) => [Number(id), { path, line: line ?? 0 }]))
      return (await isOwn(all, mark)).map((one) => ({ path: '', line: 0, ...places.get(one.id), ...one }))
    },
    async addLineComments(pullRequest, commit, comments) {
      await client.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
        ...{ ...at, pull_number: pullRequest, commit_id: commit, event: 'COMMENT' },
        comments: comments.map((comment) => ({ ...comment, side: 'RIGHT' })),
      })
    },
    async removeLineComment(id) {
      await client.request('DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}', { ...at, comment_id: id })
    },
    async addCheckRun({ commit, isPassed, title, summary }) {
      await client.request('POST /repos/{owner}/{repo}/check-runs', {
        ...{ ...at, name: 'vitest-mdtest', head_sha: commit, status: 'completed' as const },
        conclusion: isPassed ? 'success' : 'failure',
        output: { title, summary },
      })
    },
  }
}

/** Numbers of the added lines, counted in the new file. */
function addedLines(patch: string): ReadonlySet<number> {
  const lines = new Set<number>()
  let number = 0
  for (const line of patch.split('\n')) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line)?.[1]
    if (start !== undefined) number = Number(start) - 1
    else if (!line.startsWith('-')) number += 1
    if (start === undefined && line.startsWith('+')) lines.add(number)
  }
  return lines
}
