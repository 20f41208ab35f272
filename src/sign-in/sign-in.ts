/** What a spec may use to sign in, by name: values stand in the environment alone. */
export interface SignInSettings {
  /** Variables whose values are secrets. */
  readonly secrets: readonly string[]
  /** Origins besides that of the base URL at which a secret may be typed and a link of a mail opened. */
  readonly origins: readonly string[]
  /** By the name of a one-time code the variable with the secret that it is made of. */
  readonly totp: Readonly<Record<string, string>>
  /** Address of MailDev or Mailpit. */
  readonly mailbox?: string | undefined
}

/** The same with values: for programs of mdtest's alone, never for an agent. */
export interface SignIn {
  readonly secrets: Readonly<Record<string, string>>
  readonly codes: Readonly<Record<string, string>>
  readonly origins: readonly string[]
  readonly mailbox?: string
}

type Environment = Readonly<Record<string, string | undefined>>

export function signInWith(
  { secrets, origins, totp, mailbox }: SignInSettings = { secrets: [], origins: [], totp: {} },
  baseUrl: string | undefined,
  env: Environment,
): SignIn {
  const valuesOf = (pairs: readonly (readonly [name: string, variable: string])[]): Record<string, string> =>
    Object.fromEntries(pairs.flatMap(([name, variable]) => (env[variable] ? [[name, env[variable]]] : [])))
  const hidden = new Set(Object.values(totp))
  return {
    // What codes are made of is typed nowhere.
    secrets: valuesOf(secrets.flatMap((name) => (hidden.has(name) ? [] : [[name, name] as const]))), // a pair
    codes: valuesOf(Object.entries(totp)),
    origins: [...(baseUrl === undefined ? [] : [baseUrl]), ...origins].map((url) => new URL(url).origin),
    ...(mailbox !== undefined && { mailbox }),
  }
}
