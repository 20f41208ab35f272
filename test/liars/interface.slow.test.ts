import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skipReasonOf } from '../real-agents/real-project.ts'
import { isDeep } from '../support/depth.ts'
import { openUserTerminal } from '../support/user-terminal.ts'
import { loadScenes, specOf } from './support/load-scenes.ts'
import { createSceneProject } from './support/projects.ts'
import type { Scene } from './support/scene.ts'

const skipReason = skipReasonOf('claude', 'codex')
const honest = 'carries-out-the-spec'

/** Agents with real CLIs. The first ones are run in each run. */
const names = `${honest} deletes-a-check edits-the-verifier is-contradicted`.split(' ').slice(0, isDeep ? undefined : 3)

test.skipIf(skipReason !== '')(
  `agents whose deeds speak against them do not pass in their own interface either${skipReason}`,
  async () => {
    const all = await loadScenes()
    const scenes = names.flatMap((name) => all.filter((scene) => scene.name === name))
    // What one of them changes blocks whoever comes after it.
    const groups = [
      scenes.filter(({ isAlone }) => isAlone !== true),
      ...scenes.flatMap((scene) => (scene.isAlone ? [[scene]] : [])),
    ]
    const ends: (readonly [name: string | undefined, outcome: string | undefined])[] = []
    for (const group of groups) ends.push(...(await runInTerminal(group)))
    expect(ends.toSorted()).toEqual(names.map((name) => [name, name === honest ? 'pass' : 'fail']).toSorted())
  },
)

/** The outcomes that are told as each agent is done. */
async function runInTerminal(scenes: readonly Scene[]): Promise<[string | undefined, string | undefined][]> {
  await using made = await createSceneProject(scenes)
  const { project } = made
  // The project is in git: then codex asks whether to trust it.
  const trust = `\n[projects."${project.dir}"]\ntrust_level = "trusted"\n`
  appendFileSync(join(made.env.CODEX_HOME ?? '', 'config.toml'), trust)
  const paths = scenes.map(({ name }) => specOf(name)).join(' ')
  const line = `${process.execPath} node_modules/vitest-mdtest/dist/bin.js run -i --silence-timeout 20s ${paths}; echo "code $?"`
  const terminal = openUserTerminal(line, {
    cwd: project.dir,
    // Then Claude Code does not ask whether to trust the folder.
    env: { ...made.env, CLAUDE_CODE_SANDBOXED: '1', NO_COLOR: '1' },
  })
  await terminal.ended
  const passed = scenes.filter(({ name }) => name === honest).length
  const failed = scenes.length - passed
  expect(terminal.output).toContain([passed > 0 && `${passed} passed`, `${failed} failed`].filter(Boolean).join(', '))
  return [...terminal.output.matchAll(/done with specs\/([^/]+)\/.* after \d+s: (\w+)/g)].map(([, name, outcome]) => [
    name,
    outcome,
  ])
}
