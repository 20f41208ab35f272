import { expect, test } from 'vitest'
import { lane } from '../support/lane.ts'
import { contentOf, reporters, shownSpecIn, summaryIn, told, toldOfAll } from '../support/report-summary.ts'
import { createReporterProject } from '../support/reporter-project.ts'

test('the report of a run tells all', async () => {
  await using project = await createReporterProject(lane)
  const run = await project.vitest(['run', ...reporters], { env: project.env })
  expect(run.stdout).toContain('report: mdtest-report/index.html')
  const live = await summaryIn(project)
  expect(told(live)).toEqual(toldOfAll)
  expect(live).toMatchObject({ otherTests: { pass: 1, fail: 0, skipped: 0 }, errors: [], missing: 0 })
  expect(live.specs.find(({ anchor }) => anchor === 'retried.test.md')).toMatchObject({ flaky: 1 })

  // An agent's words, calls and files are there, and text of any origin is text.
  const shop = await contentOf(project, 'shop.test.md')
  for (const part of ['Put a mug into the cart', 'it printed in the cart: 1 mug', 'I went through the shop'])
    expect(shop).toContain(part)
  expect(shownSpecIn(shop).steps.map(({ calls }) => calls.length)).toContain(2)
  const [log = ''] = /logs\/[\da-f]{16}-[\w.-]+\.raw\.log/.exec(shop) ?? []
  expect(await project.read(`mdtest-report/${log}`)).toContain('"type"')
  expect(await contentOf(project, 'passing.test.md')).toContain('Adds 20 and 22')
  expect(await contentOf(project, 'malformed.test.md')).toContain('front-matter-unknown-key')
})
