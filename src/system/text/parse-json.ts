import { orNothing } from '../error-facts.ts'

export function parseJson(text: string | undefined): unknown {
  return text === undefined ? undefined : orNothing((): unknown => JSON.parse(text))
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
