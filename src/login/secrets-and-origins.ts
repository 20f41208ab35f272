import { withoutUndefined } from '../system/without-undefined.ts'

/** What a spec can use to sign in. Secrets are given only as names of environment variables. */
export interface SignInSettings {
  /** Names of variables with secrets that may be typed. */
  readonly secrets: readonly string[]
  /** Besides the origin of the base URL: origins where secrets may be typed, and where links in mails may lead. */
  readonly origins: readonly string[]
  /** For each one-time code, the variable with its secret. */
  readonly totp: Readonly<Record<string, string>>
  /** URL of MailDev or Mailpit. */
  readonly mailbox?: string | undefined
}

/** `SignInSettings` with values instead of names. Only for programs of mdtest, never for an agent. */
export interface SignIn {
  readonly secrets: Readonly<Record<string, string>>
  readonly codes: Readonly<Record<string, string>>
  readonly origins: readonly string[]
  readonly mailbox?: string
}

/** @param env the environment; empty variables count as unset, and unset ones are left out */
export function signInWith(
  { secrets, origins, totp, mailbox }: SignInSettings = { secrets: [], origins: [], totp: {} },
  baseUrl: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): SignIn {
  const valuesOf = (variables: readonly (readonly [name: string, variable: string])[]): Record<string, string> =>
    withoutUndefined(Object.fromEntries(variables.map(([name, variable]) => [name, env[variable] || undefined])))
  return withoutUndefined<SignIn>({
    secrets: valuesOf(secrets.map((name) => [name, name])),
    codes: valuesOf(Object.entries(totp)),
    origins: [baseUrl ?? [], ...origins].flat().map((url) => new URL(url).origin),
    mailbox,
  })
}
