import { orNothing } from '../../system/error-facts.ts'
import type { Secret } from '../../system/redaction/secret-forms.ts'

/** The browser sends these credentials by HTTP authentication. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Splits `https://ann:secret@staging.example.com` into the plain address and the decoded credentials. */
export function withoutCredentials(baseUrl: string): { readonly baseUrl: string; readonly credentials?: Credentials } {
  if (!URL.canParse(baseUrl)) return { baseUrl }
  const { username, password } = new URL(baseUrl)
  if (username === '' && password === '') return { baseUrl }
  return {
    // Keep the rest as written, because messages show the address.
    baseUrl: baseUrl.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1'),
    credentials: { username: decoded(username), password: decoded(password) },
  }
}

/** A password shorter than `minAloneLength` is redacted only together with its user name. */
export function credentialSecrets(credentials: Credentials | undefined): readonly Secret[] {
  if (credentials === undefined || credentials.password === '') return []
  const { username, password } = credentials
  const pair = `${username}:${password}`
  const alone = password.length >= minAloneLength ? [password] : []
  const inAddress = [encodeURIComponent(username), encodeURIComponent(password)].join(':')
  // The base64 text of an HTTP header. From `pair` alone, the redactor would miss the last characters of this text.
  const inHeader = Buffer.from(pair).toString('base64')
  return [pair, inHeader, `${inAddress}@`, ...alone].map((value) => ({ name: 'base-url', value }))
}

const minAloneLength = 6

export function withoutFrontMatterCredentials(text: string): string {
  return text.replace(/^(base-url:\s*['"]?[a-z][a-z\d+.-]*:\/\/)[^/?#\s]*@/im, '$1')
}

export function decoded(text: string): string {
  return orNothing(() => decodeURIComponent(text)) ?? text
}
