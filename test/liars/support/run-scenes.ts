import type { Options } from '../../../src/plan/options/options.ts'
import { verdictsOf } from '../../support/json-report.ts'
import { leftAfter } from '../../support/leftovers.ts'
import { readSpecReports } from '../../support/spec-reports.ts'
import { fewAtOnce } from './few-at-once.ts'
import { specOf } from './load-scenes.ts'
import { createSceneProject, isOfRealClis } from './projects.ts'
import type { Scene } from './scene.ts'

/** What became of one agent's spec. */
export interface SceneResult {
  /** Of each step: `pass observed`, `fail NO_ACTIVITY` … */
  readonly verdicts: readonly string[]
  /** Whether the whole file passed. */
  readonly isGreen: boolean
  /** All that its tests say. */
  readonly message: string
}

export interface VitestRun {
  readonly results: ReadonlyMap<string, SceneResult>
  /** Command lines of what the runs left behind. */
  readonly leftovers: readonly string[]
}

const limitMs = 400_000

/**
 * Runs all agents through the plugin in a real Vitest, those who need it in a project of their own. They execute by
 * themselves, unless the options say otherwise.
 */
export async function runScenes(
  scenes: readonly Scene[],
  options: Options = { executor: 'agent' },
): Promise<VitestRun> {
  const together = scenes.filter(({ isAlone }) => isAlone !== true)
  const groups = [
    together.filter(isOfRealClis),
    together.filter((scene) => !isOfRealClis(scene)),
    // What one of them changes blocks whoever comes after it.
    ...scenes.flatMap((scene) => (scene.isAlone ? [[scene]] : [])),
  ]
  const runs = await fewAtOnce(
    groups.filter(({ length }) => length > 0),
    width,
    (group) => runGroup(group, options),
  )
  return {
    results: new Map(runs.flatMap(({ results }) => [...results])),
    leftovers: runs.flatMap(({ leftovers }) => leftovers),
  }
}

/** How many run at once: most programs wait while the real CLIs work. */
const width = 2

async function runGroup(group: readonly Scene[], options: Options): Promise<VitestRun> {
  await using made = await createSceneProject(group, options)
  const { project, env } = made
  const args = ['run', '--reporter=json', ...group.map(({ name }) => specOf(name))]
  const { stdout, all } = await project.vitest(args, { env, timeoutMs: limitMs })
  if (!stdout.includes('{"num')) throw new Error(`Vitest gave no report:\n${all}`)
  const files = readSpecReports(stdout, project.dir)
  const results = group.map(({ name }) => {
    const { status, message = '' } = files.get(specOf(name)) ?? {}
    return [name, { verdicts: verdictsOf(stdout, `${name}.test.md`), isGreen: status === 'passed', message }] as const // a pair
  })
  return { results: new Map(results), leftovers: await leftAfter(project.dir) }
}

/** The verdict that counts: the first that is no pass, else the weakest pass. */
export function summaryOf(verdicts: readonly string[]): string {
  const worst = verdicts.find((verdict) => !verdict.startsWith('pass'))
  if (worst !== undefined) return worst.split(' ').slice(0, 2).join(' ')
  return (
    ['pass claimed', 'pass observed', 'pass evidenced', 'pass witnessed'].find((each) => verdicts.includes(each)) ??
    verdicts[0] ??
    'none'
  )
}
