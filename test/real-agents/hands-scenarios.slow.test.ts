import { describe, expect, test } from 'vitest'
import { readJsonReport } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { compareVerdicts, filesOfRuns, listRuns } from './product-runs.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

// By its own hands each agent tries a third of them, and Claude Code the shops: codex lets its own commands reach no server.
describe.skipIf(skipReason !== '')(`ten products with hands of mdtest's and of its own${skipReason}`, () => {
  test.each([claude, codex, codexCodeMode].map((agent, lane) => ({ lane, ...agent })))(
    'get the right verdicts by $title',
    { timeout: 300_000 },
    async ({ lane, agent, title: _title, ...setup }) => {
      const runs = await listRuns((hands, index) => hands === 'mdtest' || index % 3 === lane)
      const files = filesOfRuns(runs)
      await using real = await createRealProject({ ...setup, script: reportSpec, options: { agent }, files })
      const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env, timeoutMs: 280_000 })
      const report = readJsonReport(stdout)
      const { found, wanted } = compareVerdicts(runs, report)
      expect(found).toEqual(wanted)
      const backed = runs
        .filter(({ hands, product }) => hands !== 'agent' && product === 'right')
        .flatMap(({ name }) => report[`${name}.test.md`]?.map(({ assurance }) => assurance) ?? [])
      expect(new Set(backed)).toEqual(new Set(['verified', 'witnessed', 'observed']))
      const turnsOf = (name: string): number =>
        real.model.conversations.filter(({ prompt, isSideRequest }) => !isSideRequest && prompt.includes(`/${name}/`))
          .length
      const turns = runs
        .filter(({ hands }) => hands === 'agent')
        .map(({ name }) => ({ name, own: turnsOf(name), byMdtest: turnsOf(name.replace(/own$/, 'mdtest')) }))
      expect(turns.length).toBeGreaterThan(2)
      expect(turns.filter(({ own, byMdtest }) => byMdtest === 0 || byMdtest > own)).toEqual([])
      expect(await real.leftovers()).toEqual([])
    },
  )
})
