import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRealProject } from '../../real-agents/real-project.ts'
import { isAcpCli } from '../../support/acp-homes.ts'
import { createProject, type Project } from '../../support/create-project.ts'
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
export async function createSceneProject(scenes: readonly Scene[], options: Options = {}): Promise<SceneProject> {
  const made = scenes.every(isOfRealClis) ? await realClis(scenes, options) : await namedPrograms(scenes, options)
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
  const agent = { command: ['mdtest-no-such-program'] } as const // a tuple
  const scripts = scenes.map(({ name, script }) => [`${name}.test.md`, script ?? nobody] as const)
  const real = await createRealProject({
    clis: [...new Set(['claude', 'codex', ...scenes.map(({ as }) => as).filter(isAcpCli)] as const)],
    files: allFiles(scenes),
    options: { agent, ...more },
    script: bySpec(Object.fromEntries(scripts)),
  })
  return { ...real, agent, [Symbol.asyncDispose]: () => real[Symbol.asyncDispose]() }
}

async function namedPrograms(scenes: readonly Scene[], more: Options): Promise<SceneProject> {
  const runner = fileURLToPath(new URL('run-program.mjs', import.meta.url))
  const agent = { command: [process.execPath, runner, '{prompt}'] } as const // a tuple
  const program = `#!${process.execPath}\nawait import(${JSON.stringify(runner)})\n`
  const project = await createProject({
    ...allFiles(scenes),
    'bin/claude': program,
    'bin/codex': program,
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify({ agent, ...more })})] }\n`,
  })
  for (const name of ['claude', 'codex']) chmodSync(project.path(`bin/${name}`), 0o755)
  const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
  return { project, env, agent, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() }
}

function nobody(): { readonly kind: 'silence' } {
  return { kind: 'silence' }
}

function allFiles(scenes: readonly Scene[]): Record<string, string> {
  return Object.assign({ '.gitignore': 'node_modules\n' }, ...scenes.map(filesOf)) as Record<string, string> // `assign` of many is `any`
}
