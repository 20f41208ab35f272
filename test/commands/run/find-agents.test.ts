import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findAgents } from '../../../src/commands/run/find-agents.ts'
import { resolveOptions } from '../../../src/plan/options/option-defaults.ts'
import { recordByHand, transcript } from '../../support/hand-recording.ts'

const spec = '---\ncwd: copy\n---\n\n# Notes\n\nDo it.\n'

/** What is said of the agent that the spec lacks, of this wording, where it was recorded before. */
async function tell(text: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-find-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const file = join(root, 'spec.test.md')
  writeFileSync(file, text)
  writeFileSync(join(root, 'spec.recording.md'), recordByHand(spec, { bodies: { Notes: transcript('$ ls', 'a') } }))
  const config = { options: resolveOptions({ agent: 'claude' }), commandLine: {} }
  const found = findAgents([{ file }], config, { cwd: root, root, env: { PATH: '' }, stderr: process.stderr })
  return found.then(
    () => 'found',
    (error: unknown) => String(error),
  )
}

test('an agent that is missing because a recording is stale is told so', async () => {
  expect(await tell(spec)).toBe('found')
  expect(await tell(spec.replace('Do it', 'Do that'))).toContain(
    'No agent for spec.test.md:5 (its recording is stale).',
  )
})

test('a missing agent is named first, and `agent: none` only where there is code alone', async () => {
  const missing = '`claude` is not an executable file on PATH.'
  expect(await tell('# Notes\n\n```console\n$ true\n```\n')).toContain(
    `${missing} If the code blocks are the whole test, write \`agent: none\``,
  )
  for (const text of ['# Notes\n\nDo it.\n\n```console\n$ true\n```\n', '# Notes\n\n- [ ] it is so\n'])
    expect(await tell(text)).toContain(`${missing} Install it:`)
})
