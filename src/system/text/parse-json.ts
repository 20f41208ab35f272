import { orNothing } from '../error-facts.ts'

export function parseJson(text: string | undefined): unknown {
  return text === undefined ? undefined : orNothing((): unknown => JSON.parse(text))
}
