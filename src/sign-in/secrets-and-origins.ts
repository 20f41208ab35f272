import { withoutUndefined } from '../system/without-undefined.ts'

/** What a spec can use to sign in. It contains only names, because the values are in the environment. */
export interface SignInSettings {
  /** Names of variables with secrets that may be typed. */
  readonly secrets: readonly string[]
  /** Origins besides the base URL's: secrets may be typed there, and links of mails may lead there. */
  readonly origins: readonly string[]
  /** Names of one-time codes, each with the name of the variable that contains its secret. */
  readonly totp: Readonly<Record<string, string>>
  /** URL of MailDev or Mailpit. */
  readonly mailbox?: string | undefined
}

/** `SignInSettings` with the values of the variables. Only for mdtest's own programs, never for an agent. */
export interface SignIn {
  readonly secrets: Readonly<Record<string, string>>
  readonly codes: Readonly<Record<string, string>>
  readonly origins: readonly string[]
  readonly mailbox?: string
}

/** @param env environment; unset and empty variables are left out */
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
