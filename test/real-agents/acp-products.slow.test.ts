import { describe, expect, test } from 'vitest'
import { readJsonReport } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { compareVerdicts, filesOfRuns, listRuns } from './product-runs.ts'
import { createRealProject, lightAcpAgents, skipReason } from './real-project.ts'

describe.skipIf(skipReason !== '')(`ten products with agents that speak ACP${skipReason}`, () => {
  test.each(lightAcpAgents)(
    'get the right verdicts by $title',
    { timeout: 300_000 },
    async ({ agent, title: _title, ...setup }) => {
      const runs = await listRuns((hands) => hands === 'own')
      const files = filesOfRuns(runs)
      await using real = await createRealProject({ ...setup, script: reportSpec, options: { agent }, files })
      const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env, timeoutMs: 280_000 })
      const { found, wanted } = compareVerdicts(runs, readJsonReport(stdout))
      expect(found).toEqual(wanted)
      expect(await real.leftovers()).toEqual([])
    },
  )
})
