import { agents } from './registry.ts'

const outerAgent: ReadonlySet<string> = new Set(agents.flatMap(({ ownVariables = [] }) => ownVariables))

/** Values that Vite and Vitest write into `process.env`. Any other value is the user's own. */
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

/** With this flag, a second process could not open the debugger's port, or would wait forever. */
const inspector = /(^|\s)--inspect(-[a-z-]+)?(=\S*)?(?=\s|$)/g

/** The environment without variables of Vitest and of an outer coding agent, and without debugger flags. */
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
