import { existsSync, statSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { SpecSettings } from './spec-settings.ts'
import type { Spec } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import { browserPackagePlaces, whyNoBrowser } from '../../agents/browser/playwright-server.ts'
import { findOnPath } from '../../system/files/paths.ts'
import { isCi } from '../../system/own-package.ts'

interface Since extends SpecEnvironment {
  /** When the first agent of the run was started, in milliseconds since 1970. */
  readonly sinceMs: number
  /** What `absentFolders` gave before. */
  readonly absent: readonly string[]
  readonly agentPrograms: SpecSettings['agentPrograms']
}

/**
 * Folders of `PATH` that are not there, absolute: the run has not begun. npm names one for each folder above the project,
 * up to `/`, whatever is in it.
 */
export function absentFolders({ env, root }: SpecEnvironment): readonly string[] {
  return pathFolders({ env, root }).filter((folder) => !existsSync(folder))
}

/**
 * Why a spec that lacks what it requires must not be skipped: what was there may have been taken away by an agent of the
 * run. Nothing where no place in which it is looked for has changed since. Variables are as they were when the run began.
 */
export function lostRequirement({ frontMatter }: Pick<Spec, 'frontMatter'>, since: Since): Reason | undefined {
  const place = frontMatter.requires.flatMap((entry) => placesOf(entry, since)).find((one) => hasChanged(one, since))
  if (place === undefined) return undefined
  const message = `What the spec requires is not there, and \`${place}\` has changed since an agent of this run was started: it may have been taken away. Run the spec by itself.`
  return { code: 'REQUIRES_UNMET', message }
}

function placesOf(entry: string, { env, root, absent, agentPrograms }: Since): readonly string[] {
  const [, kind = entry, name = ''] = /^(\w+):(.*)$/s.exec(entry) ?? []
  if (kind === 'browser') return browserPackagePlaces.map((place) => resolve(root, place))
  if (kind !== 'bin' && kind !== 'agent') return []
  if (kind === 'bin' && name.includes('/')) return [resolve(root, name)]
  const names = kind === 'bin' ? [name] : (agentPrograms['auto'] ?? [])
  const folders = pathFolders({ env, root }).filter((folder) => !absent.includes(folder) || existsSync(folder))
  return folders.flatMap((folder) => names.map((one) => join(folder, one)))
}

function pathFolders({ env, root }: SpecEnvironment): readonly string[] {
  return (env.PATH ?? '').split(delimiter).map((entry) => resolve(root, entry))
}

/** Clocks of file systems lag behind, in milliseconds. */
const lagMs = 50

function hasChanged(file: string, { sinceMs }: Since): boolean {
  for (let at = file; ; at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false })
    if (found) return found.ctimeMs >= sinceMs - lagMs
    if (at === dirname(at)) return false
  }
}

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
  const message = `What the spec requires is not there: ${unmet.join('; ')}.`
  return [
    ...(unmet.length > 0 ? [{ code: 'REQUIRES_UNMET', message } as const] : []), // a literal code
    ...(sideEffects && !settings.allowSideEffects && isCi(environment.env) ? [hasSideEffects] : []),
  ]
}

const hasSideEffects: Reason = {
  code: 'SIDE_EFFECTS',
  message:
    'The spec has `side-effects: true` and `CI` is set. Allow it with the option `allowSideEffects` or with `mdtest run --allow-side-effects`.',
}
