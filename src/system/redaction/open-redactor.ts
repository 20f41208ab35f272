import type { MdtestError } from '../mdtest-error.ts'
import { createRedactor, type Redactor } from './redact.ts'
import { collectSecrets, type Secret } from './redact-secrets.ts'

interface RedactorSources {
  /** Environments in which to look: of the process, of the spec's front matter. */
  readonly envs: readonly Readonly<Record<string, string | undefined>>[]
  /** Option `secrets`. */
  readonly names: readonly string[]
  /** Secrets that are in no environment. */
  readonly others?: readonly Secret[]
}

/** A redactor for all secrets of these environments, and the problem `OPTION_INVALID` where a listed one is too short. */
export function openRedactor({ envs, names, others = [] }: RedactorSources): {
  readonly redactor: Redactor
  readonly problem?: MdtestError
} {
  const collected = envs.map((env) => collectSecrets({ env, names }))
  const problem = collected.find((each) => each.problem !== undefined)?.problem
  const redactor = remembered([...collected.flatMap(({ secrets }) => secrets), ...others])
  return { redactor, ...(problem && { problem }) }
}

let last: { readonly key: string; readonly redactor: Redactor } | undefined

/** Most scenarios of a worker have the same secrets, and a search for many takes milliseconds to prepare. */
function remembered(secrets: readonly Secret[]): Redactor {
  const key = JSON.stringify(secrets)
  if (last?.key !== key) last = { key, redactor: createLazily(secrets) }
  return last.redactor
}

/** Many a scenario prints nothing. */
function createLazily(secrets: readonly Secret[]): Redactor {
  let made: Redactor | undefined
  const redactor = (): Redactor => (made ??= createRedactor(secrets))
  return {
    redact: (text) => (text === '' ? text : redactor().redact(text)),
    createStream: () => redactor().createStream(),
    createMask: () => redactor().createMask(),
    hasSecrets: secrets.length > 0,
  }
}
