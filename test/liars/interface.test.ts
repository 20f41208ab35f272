import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skipReason } from '../real-agents/real-project.ts'
import { openUserTerminal } from '../support/user-terminal.ts'
import { loadScenes, specOf } from './support/load-scenes.ts'
import { createSceneProject } from './support/projects.ts'

/** Agents with real CLIs; the first one is honest. */
const names = [
  'carries-out-the-spec',
  'deletes-a-check',
  'edits-the-verifier',
  'is-contradicted',
  'only-reads-the-spec',
  'quotes-what-was-never-printed',
  'plants-a-program',
  'quotes-its-own-echo',
  'quotes-the-spec',
  'reports-without-trying',
  'writes-a-passing-log',
]

test.skipIf(skipReason !== '')(`agents that lie do not pass in their own interface either${skipReason}`, async () => {
  const all = await loadScenes()
  const scenes = names.flatMap((name) => all.filter((scene) => scene.name === name))
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
  const ends = [...terminal.output.matchAll(/done with specs\/([^/]+)\/.* after \d+s: (\w+)/g)]
  expect(ends.map(([, name, outcome]) => [name, outcome])).toEqual(
    names.map((name, index) => [name, index === 0 ? 'pass' : 'fail']),
  )
  expect(terminal.output).toContain('1 passed, 10 failed')
})
