import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findLogin, planLogin } from '../agents/browser/saved-logins.ts'
import type { Login } from '../spec/front-matter/front-matter.ts'
import { readLoginFile } from '../spec/front-matter/login-file.ts'
import { stepsOf, usersOf, type ParsedSpec, type Spec, type SpecProblem } from '../spec/spec.ts'
import { ownCommand } from '../system/mdtest-package.ts'
import { loginFileOf } from '../system/spec-endings.ts'

/** `texts`: contents of login files by absolute path. `missing`: login files that do not exist, for Vite to watch. */
export function readLogins(
  spec: Spec,
  root: string,
): Pick<ParsedSpec, 'problems'> & { readonly texts: ReadonlyMap<string, string>; readonly missing: readonly string[] } {
  const { file, frontMatter, scenarios } = spec
  const place = { specFile: file, root, saved: frontMatter.savedLogins }
  const named = new Map<Login, string>()
  for (const scenario of scenarios) {
    for (const { directives, file: at = file } of stepsOf(scenario))
      if (directives.login) named.set(directives.login, at)
    for (const login of [frontMatter.login, scenario.directives.login]) if (login) named.set(login, file)
  }
  const unknown = [...named].filter(([{ user }]) => !['', 'none'].includes(user) && !planLogin(user, place))
  const users = new Set(scenarios.flatMap((scenario) => usersOf(scenario, frontMatter)))
  const files = new Set([...users].flatMap((user) => findLogin(place, user) ?? []))
  const texts = new Map([...files].map((each) => [each, readFileSync(each, 'utf8')]))
  const problems = unknown.map(([login, at]): SpecProblem => ({
    ...login,
    file: at,
    ruleId: 'unknown-login',
    message: `Nothing says how \`${login.user}\` signs in. Write \`${loginFileOf(login.user)}\` beside the spec or in a folder above it, sign in by hand with \`${ownCommand} login ${login.user}\`, or name what Playwright saved: \`login: { ${login.user}: { storage-state: playwright/.auth/${login.user}.json } }\`.`,
  }))
  for (const [at, text] of texts)
    readLoginFile(text, (ruleId, { line, column }, message) =>
      problems.push({ file: at, line, column, ruleId, message }),
    )
  return { problems, texts, missing: unknown.map(([{ user }]) => join(dirname(file), loginFileOf(user))) }
}
