import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { playTurn } from '../support/scripts/report-spec.ts'
import { acpAgents, claude, codex, createRealProject, skipReason } from './real-project.ts'

const files = {
  'mdtest.config.json': '{ "commands": { "compile": "node --check sum.mjs", "test": "node --test sum.check.mjs" } }',
  'sum.mjs': 'export const sum = (a, b) => a - b\n',
  'sum.check.mjs':
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { sum } from './sum.mjs'\ntest('adds', () => assert.strictEqual(sum(1, 2), 3))\n",
}

describe.skipIf(skipReason !== '')(`a real agent fixes a red gate${skipReason}`, () => {
  test.for([claude, codex, ...acpAgents])('$title', async ({ agent, ...rest }) => {
    const place: { file?: string } = {}
    const script = playTurn(function* () {
      const { file = '' } = place
      const { text: over } = yield { kind: 'read', file }
      yield { kind: 'write', file, content: 'export const sum = (a, b) => a + b\n', over }
      return '{ "fix_applied": "It subtracted." }'
    })
    await using real = await createRealProject({ files, script, ...rest })
    const { project } = real
    place.file = project.path('sum.mjs')
    const { exitCode, stdout, stderr } = await project.mdtest(['gate', '--json', '--agent', agent], { env: real.env })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(`fix 1 of 2: ${agent}`) })
    expect(JSON.parse(stdout).gate_results.test).toMatchObject({
      status: 'pass',
      pass_count: 1,
      attempts: 2,
      fix_attempts: [
        { what_failed: 'test (1 failed: adds)', fix_applied: 'It subtracted. Changed: sum.mjs.', result: 'pass' },
      ],
    })
    expect(real.model.conversations[0]?.prompt).toContain('Command: node --test sum.check.mjs')
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })

  test.for([claude, codex, ...acpAgents])(
    '$title changes what the test expects, which is left out',
    async ({ agent, ...rest }) => {
      const place: { file?: string } = {}
      const script = playTurn(function* () {
        const { file = '' } = place
        const { text: over } = yield { kind: 'read', file }
        yield { kind: 'write', file, content: '-1', over }
        return '{ "fix_applied": "It was wrong." }'
      })
      const byFile = {
        ...files,
        'numbers/three.json': '3',
        'sum.check.mjs': files['sum.check.mjs']
          .replace('3))', "Number(readFileSync('numbers/three.json', 'utf8'))))")
          .replace('import test', "import { readFileSync } from 'node:fs'\nimport test"),
      }
      await using real = await createRealProject({ files: byFile, script, ...rest })
      const { project } = real
      place.file = project.path('numbers/three.json')
      const args = ['gate', '--json', '--agent', agent, '--fix-attempts', '1']
      const { exitCode, stdout } = await project.mdtest(args, { env: real.env })
      expect([exitCode, JSON.parse(stdout).gate_results.test.fix_attempts]).toMatchObject([
        1,
        [{ result: 'fail', changed: [], left_out: [{ path: 'numbers/three.json' }] }],
      ])
      expect(readFileSync(place.file, 'utf8')).toBe('3')
      expect(await real.leftovers()).toEqual([])
    },
  )
})
