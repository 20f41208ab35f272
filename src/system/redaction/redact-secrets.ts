import { MdtestError } from '../mdtest-error.ts'

/** A value that must not appear in anything that is written or shown. */
export interface Secret {
  /** Name of the environment variable; it stands in the mark that replaces the value. */
  readonly name: string
  /** At least 8 characters, without white space around it. */
  readonly value: string
}

interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Option `secrets`: variables whose values are secret whatever their names. */
  readonly names: readonly string[]
}

/** Below this many characters a value would be found everywhere by chance. */
export const minSecretLength = 8

/**
 * The secrets of an environment: the listed variables that are set, then those whose names say so (`…KEY`, `…TOKEN…`,
 * `…SECRET…`, `…PASSWORD…`, any case) with at least 8 characters. A listed variable that is unset or empty is fine;
 * a shorter one is the problem `OPTION_INVALID`, and its value is in no message.
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

/** White space around a value is mostly the line end of the file it came from, and is gone when it is printed. */
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
