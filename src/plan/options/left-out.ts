import { isCi } from '../../system/is-ci.ts'
import type { Spec } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import type { SpecSettings } from './spec-settings.ts'
import { describeUnmet, type SpecEnvironment } from './requirements.ts'

/** Why a spec is not run here, found before anything of it starts; no reasons where it is run. */
export function leftOutReasons(
  { frontMatter }: Pick<Spec, 'frontMatter'>,
  { settings, ...environment }: SpecEnvironment & { readonly settings: SpecSettings },
): readonly Reason[] {
  const { requires, sideEffects, env: own } = frontMatter
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
