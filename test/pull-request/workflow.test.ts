import { expect, test } from 'vitest'
import { linkToLine } from '../../src/pull-request/outside-text.ts'
import { readWorkflow } from '../../src/pull-request/workflow.ts'

const job = { GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: 'abc', GITHUB_WORKSPACE: '/checkout' }

test.for([
  ['/checkout', 'https://github.com/o/r/blob/abc/a%20b.test.md?plain=1#L3'],
  ['/checkout/web', 'https://github.com/o/r/blob/abc/web/a%20b.test.md?plain=1#L3'],
  ['/elsewhere', undefined],
] as const)('a suite in %s has links to its lines only where it is in the checkout', ([root, url]) => {
  const { repository } = readWorkflow(job, root) ?? {}
  expect(repository && linkToLine(repository, 'a b.test.md', 3)).toBe(url)
})

test('elsewhere there is no job', () => expect(readWorkflow({}, '/checkout')).toBeUndefined())
