import { describe, expect, test } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { carryOutSpec } from '../support/scripts/carry-out-spec.ts'
import { brokenProgram, rightProgram, spec } from './notes-project.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

const logFile = /^notes\.logs\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.log\.md$/

describe.skipIf(skipReason !== '').each([claude, codex, codexCodeMode])(
  `$title${skipReason}`,
  ({ title, ...agent }) => {
    const options = { agent: agent.agent, allow: ['Bash(node *)'] }
    const setup = (program: string): Parameters<typeof createRealProject>[0] => ({
      ...agent,
      options,
      script: carryOutSpec,
      files: { 'notes.test.md': spec, 'notes.mjs': program },
    })

    test('passes a right program', async () => {
      await using real = await createRealProject(setup(rightProgram))
      const { exitCode, stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
      expect(verdictsOf(stdout, 'notes.test.md')).toEqual(['pass observed', 'pass observed'])
      expect(exitCode).toBe(0)
      const logs = new Set(readJsonReport(stdout)['notes.test.md']?.map(({ log = '' }) => log))
      expect([...logs]).toEqual([expect.stringMatching(logFile)])
      expect(await real.project.read([...logs][0] ?? '')).toContain('observed: "printed: milk"')
      expect(real.model.conversations[0]?.api).toBe(title === 'claude' ? 'anthropic' : 'openai')
      expect(real.model.strays).toEqual([])
      expect(await real.leftovers()).toEqual([])
    })

    test('fails a broken program, with the same model', async () => {
      await using real = await createRealProject(setup(brokenProgram))
      const { exitCode, stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
      expect(verdictsOf(stdout, 'notes.test.md')).toEqual(['pass observed', 'fail STEP_FAILED CHECK_FAILED'])
      expect(exitCode).toBe(1)
      expect(await real.leftovers()).toEqual([])
    })
  },
)
