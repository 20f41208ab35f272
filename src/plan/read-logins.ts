import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findLogin, planLogin, problemsOfLogin } from '../agents/browser/logins.ts'
import type { Login } from '../spec/front-matter/front-matter.ts'
import { usersOf, type Group, type Scenario, type Spec, type SpecProblem, type Step } from '../spec/spec.ts'
import { ownCommand } from '../system/own-package.ts'
import { loginFileOf } from '../system/spec-endings.ts'

interface SpecLogins {
  readonly problems: readonly SpecProblem[]
  /** Texts of the login files of its users, by absolute path. */
  readonly texts: ReadonlyMap<string, string>
  /** Absolute paths at which missing logins would be found, so that they can be watched. */
  readonly missing: readonly string[]
}

/** Reads the logins of the users of a spec. A user without a login is a problem. */
export function readLogins(spec: Spec, root: string): SpecLogins {
  const { file, frontMatter, scenarios } = spec
  const place = { specFile: file, root, saved: frontMatter.savedLogins }
  const named = new Map<Login, string>()
  if (frontMatter.login) named.set(frontMatter.login, file)
  for (const scenario of scenarios) for (const [login, at] of namedIn(scenario, file)) named.set(login, at)
  const unknown = [...named].filter(([{ user }]) => !['', 'none'].includes(user) && !planLogin(user, place))
  const users = new Set(scenarios.flatMap((scenario) => usersOf(scenario, frontMatter)))
  const files = new Set([...users].flatMap((user) => findLogin(place, user) ?? []))
  return {
    problems: [
      ...unknown.map(([login, at]) => ({ ...login, file: at, ruleId: 'unknown-login', message: describe(login) })),
      ...[...files].flatMap(problemsOfLogin),
    ],
    texts: new Map([...files].map((each) => [each, readFileSync(each, 'utf8')])),
    missing: unknown.map(([{ user }]) => join(dirname(file), loginFileOf(user))),
  }
}

/** The logins that a node names, each with its file: an inherited login is reported where it is written. */
function namedIn(node: Scenario | Group | Step, specFile: string): readonly (readonly [Login, string])[] {
  const { login } = node.directives
  const file = 'file' in node && node.file !== undefined ? node.file : specFile
  const below = 'children' in node ? node.children.flatMap((child) => namedIn(child, specFile)) : []
  const inner = below.filter(([one]) => one !== login)
  return login === undefined ? inner : [[login, file], ...inner]
}

function describe({ user }: Login): string {
  return `Nothing says how \`${user}\` signs in. Write \`${loginFileOf(user)}\` beside the spec or in a folder above it, sign in by hand with \`${ownCommand} login ${user}\`, or name what Playwright saved: \`login: { ${user}: { storage-state: playwright/.auth/${user}.json } }\`.`
}
