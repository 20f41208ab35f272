import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { specTexts } from '../../../../src/agents/browser/model-program/run-task.ts'

test('a model gets whole files, or the parts that it needs of them, each told apart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdtest-texts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [plan, login, seed] = ['plan.md', 'login.md', 'seed.spec.ts'].map((name) => join(folder, name))
  writeFileSync(plan ?? '', '# P\r\n\r\nA shop.\r\n## One\r\nGo\r\n## Two\r\nRun\r\n## Notes\r\nMind')
  writeFileSync(login ?? '', 'Log in.\n')
  writeFileSync(seed ?? '', 'goto()\n')
  const specFiles = [plan ?? '', login ?? '']
  const whole = '# P\r\n\r\nA shop.\r\n## One\r\nGo\r\n## Two\r\nRun\r\n## Notes\r\nMind'
  expect(await specTexts({ specFiles })).toEqual([whole, 'Included file login.md:\n\nLog in.\n'])
  const texts = await specTexts({
    specFiles,
    parts: [
      { file: plan ?? '', line: 1, endLine: 3, kind: 'context' },
      { file: plan ?? '', line: 8, endLine: 9, kind: 'context' },
      { file: seed ?? '', line: 1, endLine: 2, kind: 'seed' },
      { file: login ?? '', line: 1, kind: 'included' },
      { file: plan ?? '', line: 6, endLine: 7, kind: 'scenario' },
    ],
  })
  expect(texts).toEqual([
    'Context of the scenario, no step of it:\n\n# P\n\nA shop.',
    '## Notes\nMind',
    'Seed seed.spec.ts, code of another test runner. First do by hand what it prepares:\n\ngoto()\n',
    'Included file login.md:\n\nLog in.\n',
    '## Two\nRun',
  ])
})
