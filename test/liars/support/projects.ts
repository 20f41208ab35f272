import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRealProject } from '../../real-agents/real-project.ts'
import { createProject, type Project } from '../../support/create-project.ts'
import { startModelServer, type ModelScript } from '../../support/model-server.ts'
import { bySpec } from '../../support/scripts/wayward.ts'
import type { Options } from '../../../src/plan/options/options.ts'
import { filesOf } from './load-scenes.ts'
import type { Scene } from './scene.ts'

/** A project with some agents and the specs they are asked to carry out. */
export interface SceneProject extends AsyncDisposable {
  readonly project: Project
  /** What Vitest has to be started with. */
  readonly env: Readonly<Record<string, string>>
  readonly agent: NonNullable<Options['agent']>
}

/** Makes it: models stand behind the real CLIs, programs go by their names. */
export function createSceneProject(scenes: readonly Scene[], options: Options = {}): Promise<SceneProject> {
  return inGit(scenes.every(isOfRealClis) ? realClis(scenes, options) : namedPrograms(scenes, options))
}

/** Makes it with `play-claude.mjs` in place of the real CLIs. What is not installed has a project of its own. */
export async function createPlayedProject(scenes: readonly Scene[]): Promise<SceneProject> {
  const model = await startModelServer(modelOf(scenes))
  const played = scenes.map((scene): Scene => (scene.script === undefined ? scene : { ...scene, as: 'claude' }))
  const made = await inGit(namedPrograms(played, {}))
  return {
    ...made,
    ...(scenes.some(({ isMissing }) => isMissing) && { agent: missing }),
    env: { ...made.env, ANTHROPIC_BASE_URL: model.url },
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

const missing = { command: ['mdtest-no-such-program'] } as const // a tuple

async function inGit(making: Promise<SceneProject>): Promise<SceneProject> {
  const made = await making
  const git = (...args: readonly string[]): unknown => execFileSync('git', ['-C', made.project.dir, ...args])
  git('init', '--quiet')
  git('add', '--all')
  return made
}

/** Whether it is run with the real CLIs on PATH, and without any other program. */
export function isOfRealClis({ script, isMissing }: Scene): boolean {
  return script !== undefined || isMissing === true
}

async function realClis(scenes: readonly Scene[], more: Options): Promise<SceneProject> {
  const agent = missing
  const real = await createRealProject({
    clis: [...new Set(scenes.flatMap(({ as }) => (as === 'command' ? [] : [as])))],
    files: allFiles(scenes),
    options: { agent, ...more },
    script: modelOf(scenes),
  })
  return { ...real, agent, [Symbol.asyncDispose]: () => real[Symbol.asyncDispose]() }
}

async function namedPrograms(scenes: readonly Scene[], more: Options): Promise<SceneProject> {
  const runner = fileURLToPath(new URL('run-program.mjs', import.meta.url))
  const agent = { command: [process.execPath, runner, '{prompt}'] } as const // a tuple
  const project = await createProject({
    ...allFiles(scenes),
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify({ agent, executor: 'agent', ...more })})] }\n`,
  })
  mkdirSync(project.path('bin'), { recursive: true })
  // A program is in sight in the sandbox with all that lies around it.
  for (const name of ['claude', 'codex']) symlinkSync(runner, project.path(`bin/${name}`))
  const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
  return { project, env, agent, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() }
}

/** Nobody is asked for a program. */
function modelOf(scenes: readonly Scene[]): ModelScript {
  return bySpec(Object.fromEntries(scenes.flatMap(({ name, script }) => (script ? [[`${name}.test.md`, script]] : []))))
}

function allFiles(scenes: readonly Scene[]): Record<string, string> {
  return Object.assign({ '.gitignore': 'node_modules\n' }, ...scenes.map(filesOf)) as Record<string, string> // `assign` of many is `any`
}
