import { relative } from 'node:path'
import { dialectPlaces } from '../../spec/dialects/places.ts'
import { discoverSpecs } from '../common/find-specs.ts'

/** Specs of another tool in a project. */
interface FoundDialect {
  readonly name: string
  /** Glob relative to the project. */
  readonly glob: string
}

/** The dialects of which a project (absolute path) has files where the other tool has them. */
export async function findDialects(dir: string): Promise<readonly FoundDialect[]> {
  const found = await Promise.all(
    Object.entries(dialectPlaces).map(async ([name, [glob]]): Promise<readonly FoundDialect[]> => {
      if (glob === undefined) return []
      const files = await discoverSpecs(dir, [glob])
      const atRoot = glob.replace(/^\*\*\//, '')
      const folder = atRoot.split('/')[0] ?? ''
      const isAtRoot = files.every(({ file }) => relative(dir, file).startsWith(`${folder}/`))
      return files.length === 0 ? [] : [{ name, glob: isAtRoot ? atRoot : glob }]
    }),
  )
  return found.flat()
}

/** Options of the plugin as they are written; empty where nothing was found. */
export function formatDialects(found: readonly FoundDialect[]): string {
  if (found.length === 0) return ''
  const entries = found.map(({ name, glob }) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ['${glob}']`)
  return `{ dialects: { ${entries.join(', ')} } }`
}
