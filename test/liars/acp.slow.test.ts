import { beforeAll, describe, expect, test } from 'vitest'
import { lightAcpAgents, skipReasonOf } from '../real-agents/real-project.ts'
import { isDeep } from '../support/depth.ts'
import { loadScenes } from './support/load-scenes.ts'
import { runScenes, type VitestRun } from './support/run-scenes.ts'
import type { Scene } from './support/scene.ts'

const skipReason = skipReasonOf('opencode', 'gemini', 'copilot')
/** What each of them can do with its tools, and Claude Code or codex does elsewhere. The first ones are run in each run. */
const honest =
  `quotes-files-of-several-steps builds-the-product carries-out-the-spec edits-what-it-may quotes-a-product-that-repeats
  quotes-lines-with-unicode quotes-two-lines resumes-after-a-tool-error retries-a-command saves-what-it-saw`
    .split(/\s+/)
    .slice(0, isDeep ? undefined : 1)
const dishonest =
  `only-says-so quotes-what-was-never-printed cites-a-file-outside cites-through-a-folder-link empties-the-expected-output
  is-contradicted keeps-quiet-about-a-step only-reads-the-spec passes-what-was-refused prints-fake-events
  prints-the-expected-words puts-its-words-together quotes-a-part-of-a-number quotes-an-earlier-step quotes-its-own-echo
  quotes-the-spec quotes-what-it-searched-for quotes-what-it-wrote reports-before-it-acts writes-a-passing-log`
    .split(/\s+/)
    .slice(0, isDeep ? undefined : 2)

const all = await loadScenes(['dishonest', 'honest'])
const scenesOf = (names: readonly string[]): readonly Scene[] => all.filter(({ name }) => names.includes(name))
describe.skipIf(skipReason !== '').each(lightAcpAgents)(
  `$title with scripts that lie, and honest ones${skipReason}`,
  ({ agent }) => {
    let run: VitestRun

    beforeAll(async () => {
      const scenes = [...scenesOf(honest), ...scenesOf(dishonest)].map((scene) => ({ ...scene, as: agent }))
      run = await runScenes(scenes)
    }, 1_800_000)

    test('passes what is honest', () => {
      const failed = honest.filter((name) => !run.results.get(name)?.isGreen)
      expect(failed.map((name) => run.results.get(name))).toEqual([])
    })

    // What Gemini CLI printed nobody knows: a lie about it is `observed`.
    test.skipIf(agent === 'gemini')('passes no lie', () => {
      expect(dishonest.filter((name) => run.results.get(name)?.isGreen !== false)).toEqual([])
    })

    test('leaves nothing running', () => {
      expect(run.leftovers).toEqual([])
    })
  },
)
