import type { SpecSettings } from './spec-settings.ts'
import type { Spec } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import { whyNoBrowser } from '../../agents/browser/playwright-package.ts'
import { findOnPath } from '../../system/files/paths.ts'
import { isCi } from '../../system/is-ci.ts'

interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly root: string
  readonly settings: SpecSettings
  readonly replay?: { readonly isComplete: boolean; readonly mode: 'auto' | 'only' } | undefined
}

function whyUnmet(entry: string, surroundings: Surroundings): string | undefined {
  const { env, settings } = surroundings
  const [kind, ...parts] = entry.split(':')
  const name = parts.join(':')
  if (kind === 'bin') return isProgram(name, surroundings) ? undefined : notOnPath
  if (kind === 'env') return env[name] ? undefined : 'not set, or empty'
  if (kind === 'agent') return whyNoAgent(name, surroundings)
  if (kind === 'browser') return whyNoBrowser()
  return Object.hasOwn(settings.mcpServers, name) ? undefined : notConfigured
}

function whyNoAgent(name: string, surroundings: Surroundings): string | undefined {
  const { agentPrograms } = surroundings.settings
  const candidates = Object.hasOwn(agentPrograms, name) ? (agentPrograms[name] ?? []) : []
  if (candidates.length === 0) return notConfigured
  return candidates.some((program) => isProgram(program, surroundings)) ? undefined : notOnPath
}

function isProgram(name: string, { env, root }: Surroundings): boolean {
  return findOnPath(name, { path: env.PATH ?? '', cwd: root }) !== undefined
}

const notConfigured = 'not configured'
const notOnPath = 'not an executable file on PATH'

/** Reasons not to run a spec in this environment. Called before anything is started. */
export function leftOutReasons(
  { frontMatter }: Pick<Spec, 'frontMatter'>,
  surroundings: Surroundings,
): readonly Reason[] {
  const { env, settings, replay } = surroundings
  const needsAgent = replay === undefined || !(replay.isComplete || replay.mode === 'only')
  const requires = new Set(frontMatter.requires.filter((entry) => needsAgent || !entry.startsWith('agent:')))
  // `env` is copied only if the spec requires something, because the copy is slow in a worker thread.
  const own = requires.size === 0 ? surroundings : { ...surroundings, env: { ...env, ...frontMatter.env } }
  const unmet = [...requires].flatMap((entry) => {
    const why = whyUnmet(entry, own)
    return why === undefined ? [] : [`\`${entry}\` (${why})`]
  })
  const message = `What the spec requires is not there: ${unmet.join('; ')}.`
  return [
    ...(unmet.length > 0 ? [{ code: 'REQUIRES_UNMET', message } as const] : []),
    ...(frontMatter.sideEffects && !settings.allowSideEffects && isCi(env) ? [hasSideEffects] : []),
  ]
}

const hasSideEffects: Reason = {
  code: 'SIDE_EFFECTS',
  message:
    'The spec has `side-effects: true` and `CI` is set. Allow it with the option `allowSideEffects` or with `mdtest run --allow-side-effects`.',
}
