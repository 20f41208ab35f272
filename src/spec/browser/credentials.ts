import type { Secret } from '../../system/redaction/redact-secrets.ts'

/** Who somebody is for a web application that asks for a password before anything else. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** The address without the credentials in it, and those, decoded: `https://ann:secret@staging.example.com`. */
export function withoutCredentials(address: string): {
  readonly address: string
  readonly credentials?: Credentials
} {
  if (!URL.canParse(address)) return { address }
  const { username, password } = new URL(address)
  if (username === '' && password === '') return { address }
  return {
    // As it was written otherwise: messages show it.
    address: address.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1'),
    credentials: { username: decoded(username), password: decoded(password) },
  }
}

/** What must not appear anywhere. A password that is shorter than a word is found only beside its name. */
export function credentialSecrets(credentials: Credentials | undefined): readonly Secret[] {
  if (credentials === undefined || credentials.password === '') return []
  const { username, password } = credentials
  const pair = `${username}:${password}`
  const alone = password.length >= minAloneLength ? [{ name: 'base-url', value: password }] : []
  const inAddress = [encodeURIComponent(username), encodeURIComponent(password)].join(':')
  // As a header has them. The forms of a secret leave out what depends on the text behind it.
  const inHeader = Buffer.from(pair).toString('base64')
  const whole = [pair, inHeader, `${inAddress}@`].map((value) => ({ name: 'base-url', value }))
  return [...whole, ...alone]
}

const minAloneLength = 6

export function withoutFrontMatterCredentials(text: string): string {
  return text.replace(/^(base-url:\s*['"]?[a-z][a-z\d+.-]*:\/\/)[^/?#\s]*@/im, '$1')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // It is not encoded.
  }
}
