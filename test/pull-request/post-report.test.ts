import { expect, test } from 'vitest'
import { openGitHub } from '../../src/pull-request/github-api.ts'
import { postReport, type Posted } from '../../src/pull-request/post-report.ts'
import type { ReadReport } from '../../src/pull-request/read-report.ts'
import type { Workflow } from '../../src/pull-request/workflow.ts'
import { bot, startGitHub, token, type GitHubServer } from '../support/github-server.ts'
import { failingStep, readSpec } from '../support/pull-request.ts'

const commit = 'abcdef0123'
const passing: ReadReport = { specs: [readSpec({ outcome: 'pass' })], errors: [], missing: 0, wallTimeMs: 10 }
const failing: ReadReport = { ...passing, specs: [readSpec({ steps: [failingStep('no receipt')] })] }

function post(github: GitHubServer, report: ReadReport, given: Partial<Workflow> = {}): Promise<Posted> {
  const workflow: Workflow = {
    ...{ api: github.url, base: 'o/r', pullRequest: 7, isAfterwards: false, run: 1, attempt: 1, job: 'a', name: 'ci' },
    repository: { server: 'https://github.com', name: 'o/r', commit, folder: 'web' },
    token,
    ...given,
  }
  return postReport(report, { workflow, github: () => openGitHub({ ...workflow, secondMs: 10 }) })
}

test('all jobs write one comment, found behind pages of others and made anew by nobody', async () => {
  await using github = await startGitHub()
  const mark = '<!-- vitest-mdtest:comment -->'
  for (let id = 1; id <= 250; id += 1) github.comments.push({ id, body: 'hello', user: { login: 'me' } })
  github.comments.push({ id: 251, body: `${mark}\nforged`, user: { login: 'mallory' } })
  expect(await post(github, failing)).toMatchObject({
    isSent: true,
    message: expect.stringContaining('pull request 7'),
  })
  await post(github, passing, { name: 'other', job: 'b' })
  await post(github, passing, { attempt: 2 })
  const ours = github.comments.filter(({ body, user }) => user.login === bot && body.startsWith(mark))
  expect(ours.map(({ body }) => body.match(/<summary>.*?:/g))).toEqual([
    ['<summary>✅ <code>ci</code>:', '<summary>✅ <code>other</code>:'],
  ])
  expect(github.comments.find(({ id }) => id === 251)?.body).toBe(`${mark}\nforged`)
})

test('ten jobs at once lose nobody, and leave one comment', async () => {
  await using github = await startGitHub()
  const names = Array.from({ length: 10 }, (_, index) => `job ${index}`)
  const all = await Promise.all(names.map((name) => post(github, passing, { name, job: name })))
  expect(all.map(({ message }) => message)).toEqual(names.map(() => 'github: the results are in pull request 7.'))
  expect(github.comments).toHaveLength(1)
  for (const name of names) expect(github.comments[0]?.body).toContain(`<code>${name}</code>`)
})

test('changed lines whose step failed are commented on, at most ten, and once', async () => {
  await using github = await startGitHub()
  const patch = `@@ -1,2 +1,20 @@\n # Shop\n${'+added\n'.repeat(19).trimEnd()}`
  github.files = [{ filename: 'web/shop.test.md', patch }, { filename: 'web/binary.png' }]
  const steps = Array.from({ length: 15 }, (_, index) => failingStep('no receipt', index + 2))
  const report = {
    ...failing,
    specs: [readSpec({ steps: [...steps, failingStep('unchanged line', 1), failingStep('far', 90)] })],
  }
  await post(github, report)
  expect(github.lineComments.map(({ path, line }) => `${path}:${line}`)).toEqual(
    steps.slice(0, 10).map((_, index) => `web/shop.test.md:${index + 2}`),
  )
  const first = github.lineComments.map(({ id }) => id)
  await post(github, report, { attempt: 2 })
  expect(github.lineComments.map(({ id }) => id)).toEqual(first)
  github.lineComments.push({ id: 1, body: 'a reviewer', path: 'web/shop.test.md', line: 3, user: { login: 'me' } })
  await post(github, passing, { attempt: 3 })
  expect(github.lineComments.map(({ id }) => id)).toEqual([1])
})

test.for([
  ['an error of the server', { status: 502 }],
  ['the limit of the hour', { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' } }],
  [
    'the secondary limit',
    { status: 403, message: 'You have exceeded a secondary rate limit', headers: { 'retry-after': '1' } },
  ],
  [
    'too many requests',
    { status: 429, message: 'You have exceeded a secondary rate limit', headers: { 'retry-after': '1' } },
  ],
] as const)('what passes is waited for: %s', async ([, fault]) => {
  await using github = await startGitHub()
  let times = 0
  github.fault = (request) => (request.startsWith('POST') && (times += 1) === 1 ? fault : undefined)
  expect(await post(github, failing)).toMatchObject({ isSent: true })
  expect([times > 1, github.comments.length]).toEqual([true, 1])
})

test.for([
  [
    'a token that may not write, as of a fork',
    { status: 403, message: 'Resource not accessible by integration' },
    'from a fork',
  ],
  ['a server that stays down', { status: 500, message: 'down' }, 'down'],
  ['a body that is refused', { status: 422, message: 'Validation Failed' }, 'Validation Failed'],
] as const)('what does not pass is told, and never thrown: %s', async ([, fault, why]) => {
  await using github = await startGitHub()
  github.fault = (request) => (request.startsWith('POST') ? fault : undefined)
  const { isSent, message, body } = await post(github, failing)
  expect([isSent, message]).toEqual([false, expect.stringContaining(why)])
  expect(message).toContain('summary of the job')
  expect(body).toContain('no receipt')
})

test('a comment that is deleted meanwhile is written anew; refused comments at lines leave it', async () => {
  await using github = await startGitHub()
  await post(github, passing)
  github.files = [{ filename: 'web/shop.test.md', patch: '@@ -1,2 +1,3 @@\n a\n b\n+c' }]
  github.fault = (request) => {
    if (request.startsWith('PATCH') && github.comments[0]?.id === 1001) github.comments.length = 0
    return request.endsWith('/reviews') ? { status: 422, message: 'Line could not be resolved' } : undefined
  }
  const { isSent, message } = await post(github, failing, { attempt: 2 })
  expect([isSent, message]).toEqual([
    true,
    expect.stringMatching(/request 7, but not at .* \(Line could not be resolved/),
  ])
  expect(github.comments[0]?.body).toContain('no receipt')
})

test('without a token, without a pull request, and nowhere at all', async () => {
  await using github = await startGitHub()
  const { token: _token, ...none } = { token }
  expect((await post(github, failing, { ...none, token: undefined } as object)).message).toContain(
    'there is no `GITHUB_TOKEN`',
  )
  expect(github.requests).toEqual([])
  expect((await post(github, failing, { pullRequest: undefined } as object)).message).toContain('no open pull request')
  expect((await post(github, failing, { token: 'wrong' })).message).toContain('Bad credentials')
  expect((await post(github, failing, { api: 'http://127.0.0.1:9' })).isSent).toBe(false)
})

test('after another workflow there is a check, and the pull request is that with the same head', async () => {
  await using github = await startGitHub()
  github.pulls = [
    ...Array.from({ length: 130 }, (_, index) => ({ number: index + 10, head: { sha: 'x' } })),
    { number: 8, head: { sha: commit } },
  ]
  const given = { isAfterwards: true, pullRequest: undefined } as object
  expect((await post(github, failing, given)).message).toContain('pull request 8')
  await post(github, passing, given)
  expect(github.checks).toMatchObject([
    { head_sha: commit, conclusion: 'failure', output: { summary: expect.stringContaining('no receipt') } },
    { head_sha: commit, conclusion: 'success' },
  ])
  expect(github.comments).toHaveLength(1)
})
