import { orNothing } from '../error-facts.ts'

/** Returns `undefined` if the text is not JSON. */
export function parseJson(text: string | undefined): unknown {
  return text === undefined ? undefined : orNothing((): unknown => JSON.parse(text))
}
