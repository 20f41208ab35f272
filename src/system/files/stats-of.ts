import { statSync, type Stats } from 'node:fs'

/** Of what any word may name: nothing where there is no such file, or no such path can be. Links are followed. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
