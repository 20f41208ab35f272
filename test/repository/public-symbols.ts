import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './tracked-files.ts'

/** An entry of `exports` in package.json that is code. */
export interface Entry {
  /** As users import it, for example `./agents`. */
  readonly name: string
  /** Its source file, relative to the repository. */
  readonly source: string
}

/** A symbol that an entry exports. */
export interface PublicSymbol {
  readonly exported: string
  /** Its name in `file`. */
  readonly local: string
  /** The file that defines it, relative to the repository. */
  readonly file: string
  readonly isType: boolean
}

/** The entries of the package, in the order of package.json. */
export function readEntries(): readonly Entry[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.entries<string>(exports)
    .filter(([, target]) => target.endsWith('.js'))
    .map(([name, target]) => ({ name, source: target.replace('./dist/', 'src/').replace(/\.js$/, '.ts') }))
}

/**
 * What an entry exports. Entries only re-export by name; anything else in them is thrown, because this reader would
 * miss it.
 */
export function readPublicSymbols(source: string): readonly PublicSymbol[] {
  const text = readFileSync(join(root, source), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const statement = /export\s+(?<type>type\s+)?\{(?<names>[^}]*)\}\s*from\s*'(?<path>[^']+)'\s*/g
  const rest = text.replaceAll(statement, '').trim()
  if (rest !== '') throw new Error(`${source} holds more than \`export { … } from\`: ${rest.slice(0, 80)}`)
  return [...text.matchAll(statement)].flatMap(({ groups = {} }) =>
    (groups['names'] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => {
        const [local = '', exported = local] = name.replace(/^type\s+/, '').split(/\s+as\s+/)
        return {
          exported,
          local,
          file: posix.join(posix.dirname(source), groups['path'] ?? ''),
          isType: groups['type'] !== undefined || /^type\s/.test(name),
        }
      }),
  )
}
