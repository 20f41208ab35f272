import { describe, expect, test } from 'vitest'
import { browserUnavailable } from '../support/open-browser.ts'
import { browse } from '../support/scripts/browse.ts'
import { deskScripts, deskSpec } from '../support/scripts/desk-scripts.ts'
import { startDesk } from '../support/start-desk.ts'
import { claude, codex, createRealProject, skipReason } from './real-project.ts'

const why = skipReason !== '' || browserUnavailable === undefined ? skipReason : ` (skipped: ${browserUnavailable})`

const recorded = [
  '```browser\ngoto /danger\nclick button "Delete all"\naccept dialog\n- status: All papers are deleted\n```',
  '```browser\nclick button "Rename"\naccept dialog "Zoe"\n- status: Renamed to Zoe\n```',
]

describe.skipIf(why !== '').each([claude, codex])(
  `browser steps of $title${why}`,
  ({ agent, title: _title, ...more }) => {
    test('are recorded and replayed as those of the agent `browser`', async () => {
      await using desk = await startDesk()
      const spec = deskSpec('danger', { baseUrl: desk.url, more: 'requires: [browser]\n' })
      const files = { 'danger.test.md': spec }
      await using real = await createRealProject({ ...more, script: browse(deskScripts), options: { agent }, files })
      const { project, env, model } = real
      const made = await project.mdtest(['record', '--agent', agent], { env })
      expect(made.exitCode, made.all).toBe(0)
      expect((await project.read('danger.recording.md')).match(/```browser\n[^]*?\n```/g)).toEqual(recorded)
      const asked = model.conversations.length

      const replayed = await project.mdtest(['run', '--agent', agent, '--replay', 'only'], { env })
      expect(replayed.exitCode, replayed.all).toBe(0)
      expect(replayed.all).toContain('2 replayed')
      expect(model.conversations).toHaveLength(asked)
      expect(await real.leftovers()).toEqual([])
    })
  },
)
