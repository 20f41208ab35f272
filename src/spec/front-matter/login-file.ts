import { withoutUndefined } from '../../system/without-undefined.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { SavedLogin } from './front-matter.ts'
import { parseFrontMatter } from './parse-yaml.ts'
import { createReader, reportUnknownKeys } from './front-matter-keys.ts'
import { loginText } from './servers-and-logins.ts'

/** Reads the front matter of a login (`AUTH_LOGIN.admin.md`). The rest of the file says how to sign in. */
export function readLoginFile(source: string, report: Report): Partial<SavedLogin> {
  const [, yaml] = /^---[ \t]*\r?\n([^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(source) ?? []
  if (yaml === undefined) return {}
  const raw = parseFrontMatter(yaml, report)
  reportUnknownKeys(raw, report, { what: 'a login', known: ['storage-state', 'signed-in'] })
  const read = createReader(raw, report)
  return withoutUndefined<Partial<SavedLogin>>({
    storageState: read('storage-state', { schema: loginText, form: 'the path of a file that Playwright saved' }),
    signedIn: read('signed-in', { schema: loginText, form: 'a text that only a signed-in user sees' }),
  })
}
