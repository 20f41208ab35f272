import { orNothing } from '../error-facts.ts'

/** Nothing for a text that is no JSON. */
export function parseJson(text: string | undefined): unknown {
  return text === undefined ? undefined : orNothing((): unknown => JSON.parse(text))
}
