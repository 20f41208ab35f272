import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { orNothing } from '../system/error-facts.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Variables in `.env` of the suite root; empty if the file cannot be read. */
export function readEnvFile(root: string): Readonly<Record<string, string>> {
  return filledIn(orNothing(() => parseEnv(readFileSync(join(root, '.env'), 'utf8'))) ?? {})
}

/** Adds the variables in `.env` of the suite root. Variables of `env` that are not empty take precedence. */
export function withEnvFile(env: Environment, root: string): Environment {
  return { ...readEnvFile(root), ...filledIn(env) }
}

function filledIn(values: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
