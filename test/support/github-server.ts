import { createServer } from 'node:http'
import { listen } from './listen.ts'

interface Comment {
  readonly id: number
  body: string
  readonly user: { readonly login: string }
  readonly path?: string
  readonly line?: number
}

/** What a stand-in of GitHub answers in place of its own answer. */
type Fault = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly message?: string }

export interface GitHubServer extends AsyncDisposable {
  readonly url: string
  readonly comments: Comment[]
  readonly lineComments: Comment[]
  readonly checks: Readonly<Record<string, unknown>>[]
  /** `METHOD path` of each request. */
  readonly requests: string[]
  /** Is asked before each request. */
  fault: (request: string) => Fault | undefined
  /** Files of the pull request. */
  files: readonly { readonly filename: string; readonly patch?: string }[]
  pulls: readonly { readonly number: number; readonly head: { readonly sha: string } }[]
}

export const bot = 'github-actions[bot]'
export const token = 'ghs_standin'

/** A stand-in of GitHub's API on loopback: tokens, pages, and what a test has it answer. */
export async function startGitHub(): Promise<GitHubServer> {
  let lastId = 1000
  const state = {
    comments: [] as Comment[],
    lineComments: [] as Comment[],
    checks: [] as Readonly<Record<string, unknown>>[],
    requests: [] as string[],
    fault: (_request: string): Fault | undefined => undefined,
    files: [] as GitHubServer['files'],
    pulls: [] as GitHubServer['pulls'],
  }
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const { pathname, searchParams } = new URL(url, 'http://github')
    const asked = `${method} ${pathname}`
    state.requests.push(asked)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set
    const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const fault = state.fault(asked)
    if (fault !== undefined) return answer(fault.status, { message: fault.message ?? 'no' }, fault.headers)
    if (request.headers.authorization !== `token ${token}`) return answer(401, { message: 'Bad credentials' })
    const given = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const page = (all: readonly unknown[]): void => {
      const [size, number] = [Number(searchParams.get('per_page') ?? 30), Number(searchParams.get('page') ?? 1)]
      const next = `<http://${request.headers.host}${pathname}?per_page=${size}&page=${number + 1}>; rel="next"`
      answer(200, all.slice((number - 1) * size, number * size), all.length > number * size ? { link: next } : {})
    }
    const remove = (all: Comment[]): void => {
      const at = all.findIndex(({ id }) => pathname.endsWith(`/${id}`))
      if (at === -1) return answer(404, { message: 'Not Found' })
      all.splice(at, 1)
      answer(204, undefined)
    }
    if (asked === 'GET /user') return answer(403, { message: 'Resource not accessible by integration' })
    if (/^GET .*\/issues\/\d+\/comments$/.test(asked)) return page(state.comments)
    if (/^GET .*\/pulls\/\d+\/comments$/.test(asked)) return page(state.lineComments)
    if (/^GET .*\/pulls\/\d+\/files$/.test(asked)) return page(state.files)
    if (/^GET .*\/pulls$/.test(asked)) return page(state.pulls)
    if (/^POST .*\/issues\/\d+\/comments$/.test(asked)) {
      if (given.body.length > 65_536) return answer(422, { message: 'Body is too long' })
      const comment = { id: (lastId += 1), body: given.body, user: { login: bot } }
      state.comments.push(comment)
      return answer(201, comment)
    }
    if (/^PATCH .*\/issues\/comments\/\d+$/.test(asked)) {
      const comment = state.comments.find(({ id }) => pathname.endsWith(`/${id}`))
      if (comment === undefined) return answer(404, { message: 'Not Found' })
      comment.body = given.body
      return answer(200, comment)
    }
    if (/^DELETE .*\/issues\/comments\/\d+$/.test(asked)) return remove(state.comments)
    if (/^DELETE .*\/pulls\/comments\/\d+$/.test(asked)) return remove(state.lineComments)
    if (/^POST .*\/pulls\/\d+\/reviews$/.test(asked)) {
      for (const { path, line, body } of given.comments)
        state.lineComments.push({ id: (lastId += 1), body, path, line, user: { login: bot } })
      return answer(200, { id: (lastId += 1) })
    }
    if (/^POST .*\/check-runs$/.test(asked)) {
      state.checks.push(given)
      return answer(201, { id: (lastId += 1) })
    }
    answer(404, { message: 'Not Found' })
  })
  return Object.assign(state, await listen(server))
}
