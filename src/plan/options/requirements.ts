import type { SpecSettings } from './spec-settings.ts'
import type { Spec } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import { whyNoBrowser } from '../../agents/browser/playwright-package.ts'
import { findOnPath } from '../../system/files/paths.ts'
import { isCi } from '../../system/own-package.ts'

export interface SpecEnvironment {
  readonly env: NodeJS.ProcessEnv
  readonly root: string
}

interface Configured extends SpecEnvironment {
  readonly agentPrograms: SpecSettings['agentPrograms']
  readonly mcpServers: Readonly<Record<string, unknown>>
}

function describeUnmet(requires: readonly string[], configured: Configured): readonly string[] {
  return [...new Set(requires)].flatMap((entry) => {
    const why = whyUnmet(entry, configured)
    return why === undefined ? [] : [`\`${entry}\` (${why})`]
  })
}

function whyUnmet(entry: string, configured: Configured): string | undefined {
  const [kind, name = ''] = split(entry)
  if (kind === 'bin') return isProgram(name, configured) ? undefined : notOnPath
  if (kind === 'env') return configured.env[name] ? undefined : 'not set, or empty'
  if (kind === 'agent') return whyNoAgent(name, configured)
  if (kind === 'browser') return whyNoBrowser()
  return Object.hasOwn(configured.mcpServers, name) ? undefined : notConfigured
}

function whyNoAgent(name: string, configured: Configured): string | undefined {
  const { agentPrograms } = configured
  const candidates = Object.hasOwn(agentPrograms, name) ? (agentPrograms[name] ?? []) : []
  if (candidates.length === 0) return notConfigured
  return candidates.some((program) => isProgram(program, configured)) ? undefined : notOnPath
}

function isProgram(name: string, { env, root }: SpecEnvironment): boolean {
  return findOnPath(name, { path: env.PATH ?? '', cwd: root }) !== undefined
}

function split(entry: string): readonly [string, string?] {
  const at = entry.indexOf(':')
  return at === -1 ? [entry] : [entry.slice(0, at), entry.slice(at + 1)]
}

const notConfigured = 'not configured'
const notOnPath = 'not an executable file on PATH'

interface Surroundings extends SpecEnvironment {
  readonly settings: SpecSettings
  readonly replay?: { readonly isComplete: boolean; readonly mode: 'auto' | 'only' } | undefined
}

/** Reasons not to run a spec in this environment. Called before anything is started. */
export function leftOutReasons(
  { frontMatter }: Pick<Spec, 'frontMatter'>,
  { settings, replay, ...environment }: Surroundings,
): readonly Reason[] {
  const { sideEffects, env: own } = frontMatter
  const needsAgent = replay === undefined || !(replay.isComplete || replay.mode === 'only')
  const requires = frontMatter.requires.filter((entry) => needsAgent || !entry.startsWith('agent:'))
  // Copy the environment only if needed: the copy is slow in a worker thread.
  const unmet =
    requires.length === 0
      ? []
      : describeUnmet(requires, {
          env: { ...environment.env, ...own },
          root: environment.root,
          agentPrograms: settings.agentPrograms,
          mcpServers: settings.mcpServers,
        })
  const message = `What the spec requires is not there: ${unmet.join('; ')}.`
  return [
    ...(unmet.length > 0 ? [{ code: 'REQUIRES_UNMET', message } as const] : []), // a literal type
    ...(sideEffects && !settings.allowSideEffects && isCi(environment.env) ? [hasSideEffects] : []),
  ]
}

const hasSideEffects: Reason = {
  code: 'SIDE_EFFECTS',
  message:
    'The spec has `side-effects: true` and `CI` is set. Allow it with the option `allowSideEffects` or with `mdtest run --allow-side-effects`.',
}
