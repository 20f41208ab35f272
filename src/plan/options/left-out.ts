import type { Spec } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import type { SpecSettings } from './spec-settings.ts'
import { describeUnmet, type SpecEnvironment } from './requirements.ts'
import { isCi } from '../../system/own-package.ts'

interface Surroundings extends SpecEnvironment {
  readonly settings: SpecSettings
  /** What is replayed of the spec; absent where nothing is. */
  readonly replay?: { readonly isComplete: boolean; readonly mode: 'auto' | 'only' } | undefined
}

/** Why a spec is not run here, found before anything of it starts; no reasons where it is run. */
export function leftOutReasons(
  { frontMatter }: Pick<Spec, 'frontMatter'>,
  { settings, replay, ...environment }: Surroundings,
): readonly Reason[] {
  const { sideEffects, env: own } = frontMatter
  // What is replayed whole asks no agent; with `only` none is asked whatever is recorded.
  const needsAgent = replay === undefined || !(replay.isComplete || replay.mode === 'only')
  const requires = frontMatter.requires.filter((entry) => needsAgent || !entry.startsWith('agent:'))
  // In a worker thread it takes a while to read all of the environment.
  const unmet =
    requires.length === 0
      ? []
      : describeUnmet(requires, {
          env: { ...environment.env, ...own },
          root: environment.root,
          agentPrograms: settings.agentPrograms,
          mcpServers: settings.mcpServers,
        })
  return [
    ...(unmet.length > 0 ? [requiresUnmet(unmet)] : []),
    ...(sideEffects && !settings.allowSideEffects && isCi(environment.env) ? [hasSideEffects] : []),
  ]
}

function requiresUnmet(unmet: readonly string[]): Reason {
  return { code: 'REQUIRES_UNMET', message: `What the spec requires is not there: ${unmet.join('; ')}.` }
}

const hasSideEffects: Reason = {
  code: 'SIDE_EFFECTS',
  message:
    'The spec has `side-effects: true` and `CI` is set. Allow it with the option `allowSideEffects` or with `mdtest run --allow-side-effects`.',
}
