import { agents } from './registry.ts'

/** Set by an outer agent for its own commands; an agent inside must not take itself for them. */
const outerAgent: ReadonlySet<string> = new Set(agents.flatMap(({ ownVariables = [] }) => ownVariables))

/** What Vite and Vitest write into `process.env`. The same name with another value is the user's own. */
const setByVitest: ReadonlyMap<string, readonly string[]> = new Map([
  ['NODE_ENV', ['test']],
  ['TEST', ['true']],
  ['MODE', ['test']],
  ['DEV', ['1', '']],
  ['PROD', ['1', '']],
  ['SSR', ['1', '']],
  ['BASE_URL', ['/']],
  ['FORCE_TTY', ['true', '']],
])

const inspector = /(^|\s)--inspect(-[a-z-]+)?(=\S*)?(?=\s|$)/g

/**
 * The environment of the process without what Vitest and an outer coding agent put there. Certificates and memory limits
 * come by `NODE_OPTIONS`; with `--inspect…` a second process could not open the port, or would wait for ever.
 */
export function agentEnvironment(processEnv: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isInVitest = processEnv.VITEST !== undefined
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(processEnv)) {
    if (value === undefined || outerAgent.has(name) || /^VITEST(_|$)/.test(name)) continue
    if (isInVitest && setByVitest.get(name)?.includes(value) === true) continue
    const cleaned = name === 'NODE_OPTIONS' ? value.replace(inspector, '').trim() : value
    if (name !== 'NODE_OPTIONS' || cleaned !== '') kept[name] = cleaned
  }
  return kept
}
