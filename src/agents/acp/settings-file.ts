import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Settings of an agent, as far as they are known: fields by name. */
export const fields = z.record(z.string(), z.unknown()).catch({})

/** What stands in a file of settings (absolute path); nothing where there is none, or nobody can read it. */
export function readSettings(file: string): Readonly<Record<string, unknown>> {
  try {
    return fields.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}
