import { dirname, join, parse } from 'node:path'

/** Extensions that an import may leave out, in the order in which they are tried. */
const codeExtensions = 'ts tsx mts cts js jsx mjs cjs json vue svelte py rb mk'.split(' ')

/** What stands in a line that names the product, not what judges it. */
const productKeys =
  /\b(?:entry|entries|entryPoints|input|alias|find|replacement|include|exclude|files|main|module|types|typings|exports|bin|browser|style|coverage|collectCoverageFrom|content|outDir|rootDir|baseUrl|testMatch|testpaths)\b/i
const importWords = /\b(?:import|require|from|export)\b/

/**
 * Files of a project that a text names, by a path as in strings, by an import, or as a module of Python. Folders and patterns
 * are none. Pure.
 *
 * @param path of the text, relative to the root
 * @param all paths of all files
 */
export function filesNamedIn(text: string, path: string, all: ReadonlySet<string>): readonly string[] {
  const folder = dirname(path)
  const isConfiguration = /\.(?:[cm]?[jt]s|jsonc?|ya?ml|toml)$/.test(path)
  const found = text.split('\n').flatMap((line) => {
    if (isConfiguration && productKeys.test(line.replaceAll('<rootDir>', '')) && !importWords.test(line)) return []
    return [...namesIn(line), ...(namesModules(line, path) ? modulesIn(line) : [])]
  })
  const files = [...new Set(found)].flatMap((name) => {
    const places = name.startsWith('.') ? [join(folder, name)] : [join(folder, name), join(name)]
    return places.flatMap((place) => fileAt(place, all) ?? [])
  })
  return [...new Set(files)]
}

/** Words that can be a path, with what a shell, JSON, YAML or make put around them. */
function namesIn(line: string): readonly string[] {
  return line
    .replaceAll(
      /<rootDir>\/?|\$\{?(?:configDir|workspaceFolder|PWD|CURDIR|TESTDIR|TESTROOT)\}?\/?|\$\((?:PWD|CURDIR)\)\/?/g,
      './',
    )
    .split(/[\s"'`,;:=()[\]{}<>|&]+/)
    .filter((word) => /[./]/.test(word) || /^\w[\w-]{2,}$/.test(word))
    .map((word) => word.replace(/^@/, ''))
}

function namesModules(line: string, path: string): boolean {
  if (path.endsWith('.py')) return importWords.test(line) || line.includes('pytest_plugins')
  return /\.(?:ini|toml|cfg)$/.test(path) && /(?:^|[\s"'=])-p\b|plugin|addopts|settings/i.test(line)
}

/** `import tools.plugin`, `-p tools.plugin`, `from . import helper`. */
function modulesIn(line: string): readonly string[] {
  return [...line.matchAll(/\b([A-Za-z_]\w*(?:\.\w+)*)\b/g)].map(([, name = '']) => name.replaceAll('.', '/'))
}

function fileAt(place: string, all: ReadonlySet<string>): string | undefined {
  const withoutExtension = place.replace(/\.[cm]?js$/, '')
  const candidates = [
    place,
    ...codeExtensions.map((extension) => `${place}.${extension}`),
    ...codeExtensions.map((extension) => `${withoutExtension}.${extension}`),
    ...codeExtensions.map((extension) => `${place}/index.${extension}`),
    `${place}/__init__.py`,
  ]
  return candidates.find((candidate) => all.has(candidate))
}

/** Whether a text takes code from a file, by a statement that names it without its extension. Pure. */
export function isImportedBy(path: string, text: string): boolean {
  const { dir, name } = parse(path)
  const module = /^(?:index|__init__|mod|lib)$/.test(name) ? dir.replace(/.*\//, '') : name
  if (module === '') return false
  const word = module.replaceAll(/[^\w]/g, String.raw`\$&`)
  const statement = String.raw`\b(?:import|require|from|use|using|include|include_once|require_once|require_relative|mod|export|load|alias)\b`
  // Go names a folder, and several of them below one `import`.
  const ofGo = path.endsWith('.go') ? `|"[^"\n]*/${dir.replace(/.*\//, '').replaceAll(/[^\w]/g, String.raw`\$&`)}"` : ''
  return new RegExp(String.raw`${statement}[^\n]*[\b./"'\s]${word}\b${ofGo}`).test(text)
}
