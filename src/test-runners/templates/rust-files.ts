import { escapePattern } from '../command-parts.ts'
import { onlyOne, type SourceFiles } from '../source-files.ts'

/**
 * The file of a test such as `sums::tests::adds`: the one that is its innermost module and declares it. `undefined` where
 * none is, or several are: the place of a panic is none of the test's.
 */
export function fileOfRustTest(name: string, sources: SourceFiles): string | undefined {
  const docTest = /^(.+\.rs) - .*\(line \d+\)$/.exec(name)?.[1]
  if (docTest !== undefined) return onlyOne(sources.paths.filter((path) => `/${path}`.endsWith(`/${docTest}`)))
  const modules = name.split('::')
  // Of a test with cases the function is above its last part.
  const functions = modules.slice(-2).map(escapePattern).join('|')
  const declares = new RegExp(`\\bfn\\s+(?:${functions})\\b`)
  const found = sources.paths.flatMap((path) => {
    const depth = Math.max(...modulesOf(path).map((own) => depthIn(own, modules)))
    return depth >= 0 && declares.test(sources.text(path)) ? [{ path, depth }] : []
  })
  const deepest = Math.max(...found.map(({ depth }) => depth))
  return onlyOne(found.filter(({ depth }) => depth === deepest).map(({ path }) => path))
}

/** What a file may be: in `tests`, `benches` and `examples` each file or folder is a crate, and may be a module of one. */
function modulesOf(path: string): readonly (readonly string[])[] {
  const [, kind = '', rest = ''] = /^(?:.*\/)?(src\/bin|src|tests|benches|examples)\/(.+)\.rs$/.exec(path) ?? []
  if (kind === '') return []
  const parts = rest.split('/').filter((part, index, all) => index < all.length - 1 || !/^(?:mod|lib|main)$/.test(part))
  return kind === 'src' ? [parts] : [parts, parts.slice(1)]
}

/** How many modules lead to a file, or -1 where they do not. */
function depthIn(own: readonly string[], modules: readonly string[]): number {
  return own.every((part, index) => part === modules[index]) ? own.length : -1
}
