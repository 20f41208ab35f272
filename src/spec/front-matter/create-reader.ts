import type { z } from 'zod'

import type { Mapping } from './parse-mapping.ts'
import type { Report, SpecRuleId } from '../rules/spec-rules.ts'

/** A key of a mapping: its schema, and in words what it accepts. */
export interface Key<T> {
  readonly schema: z.ZodType<T>
  readonly form: string
  /** What else to say of a bad value, with a blank before it; default: nothing. */
  readonly hint?: (value: unknown) => string
}

export type Read = <T>(name: string, key: Key<T>) => T | undefined

/** Reads a mapping key by key: a bad value costs that key only and is reported under `ruleId`. */
export function createReader({ values, placeOf }: Mapping, ruleId: SpecRuleId, report: Report): Read {
  return (name, { schema, form, hint }) => {
    if (!values.has(name)) return undefined
    const value = values.get(name)
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const place = placeOf([name, ...(result.error.issues[0]?.path ?? [])])
    report(ruleId, place, `\`${name}\` must be ${form}, got ${describe(value)}.${hint?.(value) ?? ''}`)
    return undefined
  }
}

function describe(value: unknown): string {
  const kind = value === null ? 'empty' : Array.isArray(value) ? 'list' : typeof value
  const json = JSON.stringify(value) ?? 'nothing'
  return `\`${json.length > 60 ? `${json.slice(0, 60)}…` : json}\` (${kind})`
}
