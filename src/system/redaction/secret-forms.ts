import { MdtestError } from '../mdtest-error.ts'

export interface Secret {
  readonly name: string
  readonly value: string
}

/** Shorter values would match ordinary text by chance. */
export const minSecretLength = 8

/** `problem` is an `OPTION_INVALID` error about variables in `names` whose values are too short to be redacted. */
export function collectSecrets(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = [],
): { readonly secrets: readonly Secret[]; readonly problem?: MdtestError } {
  // Trim values: white space at the end usually is the line end of a file, which programs do not print.
  const valueOf = (name: string): string => env[name]?.trim() ?? ''
  const isLong = (name: string): boolean => [...valueOf(name)].length >= minSecretLength
  const all = new Set([...names, ...Object.keys(env).filter(soundsSecret)])
  const secrets = [...all].filter(isLong).map((name) => ({ name, value: valueOf(name) }))
  const tooShort = names.filter((name) => valueOf(name) !== '' && !isLong(name)).map((name) => `\`${name}\``)
  if (tooShort.length === 0) return { secrets }
  const message = `Expected the values of \`secrets\` to have at least ${minSecretLength} characters, got fewer for ${tooShort.join(', ')}.`
  const hint =
    'Use a longer value, or remove the name from the list: such a short text cannot be distinguished from ordinary output.'
  return { secrets, problem: new MdtestError('OPTION_INVALID', message, { hint }) }
}

/** KEY must end a word (`API_KEY`, `apiKey`, `SSHKEYS`, `KEY_2`), so that KEYBOARD does not match. */
export function soundsSecret(name: string): boolean {
  if (/TOKEN|SECRET|PASSWORD/i.test(name)) return true
  return /KEYS?(?![A-Z])/.test(name) || /[Kk]eys?(?![a-z])/.test(name)
}

/** The secret, and its long lines, because logs print line by line. Each is also encoded as JSON, URL and base64. */
export function secretPatterns(value: string): readonly string[] {
  const parts = [value, ...longLines(value)]
  return [...new Set(parts.flatMap((part) => [...jsonForms(part), ...urlForms(part), ...base64Forms(part)]))]
}

/** Long lines of a secret, without the BEGIN and END lines of a PEM file, which are not secret. */
function longLines(value: string): readonly string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim())
  return lines.length < 2 ? [] : lines.filter((line) => [...line].length >= 8 && !/^-----.*-----$/.test(line))
}

/** Escapes the text once and twice: an agent's event is JSON, and may contain the output of a tool as JSON. */
function jsonForms(text: string): readonly string[] {
  const once = jsonVariants(text)
  return [text, ...once, ...once.flatMap(jsonVariants)]
}

function jsonVariants(text: string): readonly string[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  // Some JSON writers escape slashes. Some escape all characters beyond ASCII.
  const withSlash = escaped.replaceAll('/', '\\/')
  return [escaped, withSlash].flatMap((form) => [
    form,
    ...hexCases.map((change) =>
      form.replace(/[\u007f-\uffff]/g, (unit) => `\\u${change(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`),
    ),
  ])
}

const hexCases = [(hex: string) => hex.toUpperCase(), (hex: string) => hex]

/** Characters that URL encoders keep. In this order: `encodeURIComponent`, RFC 3986, HTML forms, `encodeURI`. */
const unreserved = [/[\w.!~*'()-]/, /[\w.~-]/, /[\w.*-]/, /[\w.!~*'();/?:@&=+$,#-]/]

function urlForms(text: string): readonly string[] {
  return unreserved.flatMap((kept) =>
    hexCases.flatMap((change) => {
      const encoded = Array.from(Buffer.from(text), (byte) => {
        const char = String.fromCharCode(byte)
        return byte < 0x80 && kept.test(char) ? char : `%${change(byte.toString(16).padStart(2, '0'))}`
      }).join('')
      return [encoded, encoded.replaceAll('%20', '+')]
    }),
  )
}

/** Base64 packs 3 bytes into 4 characters, so a secret looks different after 0, 1 or 2 other bytes. */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    // Drop the characters at both ends that also contain bits of neighboring bytes.
    const middle = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
