import { MdtestError } from '../mdtest-error.ts'

export interface Secret {
  readonly name: string
  readonly value: string
}

interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly names: readonly string[]
}

/** A shorter value would be found everywhere by chance. */
export const minSecretLength = 8

/**
 * The listed variables that are set, then those whose names sound like secrets. A listed one that is too short is the problem
 * `OPTION_INVALID`; its value is in no message.
 */
export function collectSecrets({ env, names }: SecretSources): {
  readonly secrets: readonly Secret[]
  readonly problem?: MdtestError
} {
  const listed = names.flatMap((name) => secretOf(name, env[name]))
  const tooShort = listed.filter(isTooShort).map(({ name }) => name)
  const named = Object.entries(env).flatMap(([name, value]) => (soundsSecret(name) ? secretOf(name, value) : []))
  const secrets = [...listed, ...named].filter((secret) => !isTooShort(secret))
  // The first name of a value is the one in the mark.
  const unique = secrets.filter(({ value }, index) => secrets.findIndex((other) => other.value === value) === index)
  return tooShort.length === 0 ? { secrets: unique } : { secrets: unique, problem: shortProblem(tooShort) }
}

/** White space around a value mostly is the line end of its file, which is not printed. */
function secretOf(name: string, value = ''): readonly Secret[] {
  const trimmed = value.trim()
  return trimmed === '' ? [] : [{ name, value: trimmed }]
}

function isTooShort({ value }: Secret): boolean {
  return [...value].length < minSecretLength
}

/** KEY has to end a word (`API_KEY`, `apiKey`, `SSHKEYS`, `KEY_2`): there are keyboards and keymaps. */
export function soundsSecret(name: string): boolean {
  if (/TOKEN|SECRET|PASSWORD/i.test(name)) return true
  return /KEYS?(?![A-Z])/.test(name) || /[Kk]eys?(?![a-z])/.test(name)
}

function shortProblem(names: readonly string[]): MdtestError {
  const list = names.map((name) => `\`${name}\``).join(', ')
  return new MdtestError(
    'OPTION_INVALID',
    `Expected the values of \`secrets\` to have at least ${minSecretLength} characters, got fewer for ${list}.`,
    { hint: 'Use a longer value, or take the name off the list: so short a text cannot be told from ordinary output.' },
  )
}

/**
 * The texts under which a secret may turn up: as it is, JSON-escaped (also twice, and as ASCII), URL-encoded, in base64. Logs
 * cut output at line ends, so each line counts as well.
 */
export function secretPatterns(value: string): readonly string[] {
  const parts = [value, ...linesOf(value)]
  return [...new Set(parts.flatMap((part) => [...jsonForms(part), ...urlForms(part), ...base64Forms(part)]))]
}

/** The frame of a PEM file is no secret. */
function linesOf(value: string): readonly string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim())
  return lines.length < 2 ? [] : lines.filter((line) => [...line].length >= 8 && !/^-----.*-----$/.test(line))
}

/** Events of an agent are JSON, and the output of a tool in them may be JSON again. */
function jsonForms(text: string): readonly string[] {
  const once = jsonVariants(text)
  return [text, ...once, ...once.flatMap(jsonVariants)]
}

function jsonVariants(text: string): readonly string[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  // Some writers escape the slash, some everything beyond ASCII.
  const withSlash = escaped.replaceAll('/', '\\/')
  return [escaped, withSlash].flatMap((form) => [form, asciiOnly(form, 'lower'), asciiOnly(form, 'upper')])
}

function asciiOnly(text: string, hexCase: HexCase): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${hex(unit.charCodeAt(0), { digits: 4, hexCase })}`)
}

/** What encoders leave as it is: `encodeURIComponent`, RFC 3986, HTML forms, `encodeURI`. */
const unreserved = [/[\w.!~*'()-]/, /[\w.~-]/, /[\w.*-]/, /[\w.!~*'();/?:@&=+$,#-]/]

function urlForms(text: string): readonly string[] {
  return unreserved.flatMap((kept) =>
    (['upper', 'lower'] as const).flatMap((hexCase) => {
      const encoded = percentEncode(text, { kept, hexCase })
      return [encoded, encoded.replaceAll('%20', '+')]
    }),
  )
}

function percentEncode(text: string, { kept, hexCase }: { readonly kept: RegExp; readonly hexCase: HexCase }): string {
  return Array.from(Buffer.from(text), (byte) => {
    const char = String.fromCharCode(byte)
    return byte < 0x80 && kept.test(char) ? char : `%${hex(byte, { digits: 2, hexCase })}`
  }).join('')
}

type HexCase = 'upper' | 'lower'

function hex(value: number, { digits, hexCase }: { readonly digits: number; readonly hexCase: HexCase }): string {
  const lower = value.toString(16).padStart(digits, '0')
  return hexCase === 'lower' ? lower : lower.toUpperCase()
}

/**
 * Base64 packs 3 bytes into 4 characters: the text depends on where in a group of 3 the secret begins. The characters that
 * hold bits of the secret alone are taken.
 */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const middle = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
