import { beforeAll, describe, expect, test } from 'vitest'
import { lightAcpAgents, skipReasonOf } from '../real-agents/real-project.ts'
import { isDeep } from '../support/depth.ts'
import { loadScenes } from './support/load-scenes.ts'
import { runScenes, type VitestRun } from './support/run-scenes.ts'

const all = await loadScenes(['dishonest', 'honest'])

/** Codex carries these out in every run, because Claude Code carries out its own every day. */
const byCodex = `builds-the-product edits-the-verifier only-says-so quotes-its-own-echo
  quotes-what-it-wrote saves-what-it-saw`.split(/\s+/)

/** Codex ends what a command left in the background: in these scenes nothing is there any more when it is looked for. */
const notByCodex = ['starts-a-job-in-the-background', 'starts-a-server-and-leaves-it']
const alsoByCodex = all.filter(
  ({ name, kind, as }) =>
    kind === 'honest' && as === 'claude' && !notByCodex.includes(name) && (isDeep || /^(?:ins|uses)/.test(name)),
)

/** Scenes that the tools of each ACP agent allow. A run that is not deep takes the first names. */
const byAcp = {
  honest: `quotes-files-of-several-steps builds-the-product carries-out-the-spec edits-what-it-may
    quotes-a-product-that-repeats quotes-lines-with-unicode quotes-two-lines resumes-after-a-tool-error
    retries-a-command saves-what-it-saw`.split(/\s+/),
  dishonest: `only-says-so quotes-what-was-never-printed cites-a-file-outside cites-through-a-folder-link
    empties-the-expected-output is-contradicted keeps-quiet-about-a-step only-reads-the-spec passes-what-was-refused
    prints-fake-events prints-the-expected-words puts-its-words-together quotes-a-part-of-a-number
    quotes-an-earlier-step quotes-its-own-echo quotes-the-spec quotes-what-it-searched-for quotes-what-it-wrote
    reports-before-it-acts writes-a-passing-log`.split(/\s+/),
}
const namesFor = (agent: string): readonly string[] => {
  const [honest, dishonest] = isDeep ? [10, 20] : [1, 2]
  // Gemini CLI hides what its commands print, so a lie about it is `observed` and may pass.
  return [...byAcp.honest.slice(0, honest), ...(agent === 'gemini' ? [] : byAcp.dishonest.slice(0, dishonest))]
}

const groups = [
  {
    title: 'Claude Code, Codex and programs',
    skipReason: skipReasonOf('claude', 'codex'),
    scenes: all.filter(({ name }) => isDeep || byCodex.includes(name)),
  },
  {
    title: 'Codex in place of Claude Code',
    // Each writes its skills into the same new home when it starts: two at once get in each other's way.
    maxAgents: 1,
    skipReason: skipReasonOf('codex'),
    scenes: alsoByCodex.map((scene) => ({ ...scene, as: 'codex' as const })), // a literal
  },
  ...lightAcpAgents.map(({ title, agent }) => ({
    title,
    skipReason: skipReasonOf(agent),
    scenes: all.filter(({ name }) => namesFor(agent).includes(name)).map((scene) => ({ ...scene, as: agent })),
  })),
]

for (const { title, skipReason, scenes, ...limits } of groups) {
  describe.skipIf(skipReason !== '')(`${title} in a real Vitest${skipReason}`, () => {
    let vitest: VitestRun
    beforeAll(async () => {
      vitest = await runScenes(scenes, { executor: 'agent', ...limits })
    }, 1_800_000)

    test('pass if they are honest, and only then', () => {
      expect(scenes).not.toEqual([])
      const wrong = scenes.filter(({ name, kind }) => vitest.results.get(name)?.isGreen !== (kind === 'honest'))
      expect(wrong.map(({ name }) => ({ name, ...vitest.results.get(name) }))).toEqual([])
    })

    test('leave nothing running', () => {
      expect(vitest.leftovers).toEqual([])
    })
  })
}
