import { readFileSync } from 'node:fs'
import stripJsonComments from 'strip-json-comments'
import { z } from 'zod'

/** Settings of an agent, as far as they are known: fields by name. */
export const fields = z.record(z.string(), z.unknown()).catch({})

/**
 * What stands in a file of settings (absolute path): JSON, perhaps with comments and trailing commas. Nothing where there is
 * none, or nobody can read it.
 */
export function readSettings(file: string): Readonly<Record<string, unknown>> {
  try {
    return fields.parse(JSON.parse(stripJsonComments(readFileSync(file, 'utf8'), { trailingCommas: true })))
  } catch {
    return {}
  }
}
