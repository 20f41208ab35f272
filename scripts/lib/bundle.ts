import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { compiled, dist, root } from './run-command.ts'

/** Loaded by browser specs and agents that speak ACP alone, from where the user has installed them. */
const optionalPeers = [/^@agentclientprotocol\/sdk$/, /^ai$/, /^@ai-sdk\//]

/** Paths in .cache/compiled/ and dist/, entries without `.js`. */
interface Bundled {
  readonly entries: readonly string[]
  readonly chunks: string
  /** Packages that another bundle holds: their names, and what `imports` of package.json calls them. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

/**
 * Writes modules to dist/, each as one file with all that it imports: loading one file takes a tenth of the time that
 * loading some hundred takes. What several of them need is shared, in `chunks`. Vitest stays outside.
 * @returns folders of the packages that it holds
 */
export async function bundle({ entries, chunks, elsewhere = {} }: Bundled): Promise<readonly string[]> {
  const bundler = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(compiled, `${entry}.js`)])),
    platform: 'node',
    external: [/^node:/, /^@lydell\//, /^vitest(?:\/|$)/, ...optionalPeers, ...Object.keys(elsewhere)],
  })
  const { output } = await bundler.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${chunks}/[name].js`,
    paths: elsewhere,
    // White space and comments are parsed anew in every worker.
    minify: { compress: false, mangle: false, codegen: true },
  })
  await bundler.close()
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds.flatMap(packageOf) : []))
}

/** @param folders of packages, also several times */
export function writeLicences(folders: readonly string[]): void {
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), [...new Set(folders)].toSorted().map(licenceOf).join('\n'))
}

/**
 * Writes a module and all that it imports to dist/ as one CommonJS file: Jest's own module system takes nothing else.
 * @param entry path in .cache/compiled/ and dist/, without `.js`
 */
export async function bundleToCommonJs(entry: string): Promise<void> {
  const bundler = await rolldown({ input: join(compiled, `${entry}.js`), platform: 'node', external: [/^node:/] })
  await bundler.write({ file: join(dist, `${entry}.cjs`), format: 'cjs' })
  await bundler.close()
}

/**
 * Makes the page of the report in dist/: one script, the shells and their style.
 * @param folder path in src/ and dist/
 */
export async function bundlePage(folder: string): Promise<void> {
  const [source, target] = [join(root, 'src', folder), join(dist, folder)]
  const bundler = await rolldown({ input: join(source, 'main.ts'), platform: 'browser' })
  await bundler.write({ file: join(target, 'report.js'), format: 'iife', minify: true })
  await bundler.close()
  for (const name of readdirSync(source).filter((each) => each.endsWith('.html')))
    copyFileSync(join(source, name), join(target, name))
  writeFileSync(join(target, 'report.css'), readStyle(join(source, 'report.css')))
}

/** A style with what it imports in place: the page loads one file. */
function readStyle(file: string): string {
  const read = (name: string): string => readStyle(join(dirname(file), name))
  return readFileSync(file, 'utf8').replaceAll(/^@import '(.+)';$/gm, (_, name: string) => read(name))
}

function packageOf(moduleId: string): readonly string[] {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId)?.[0]
  return folder === undefined ? [] : [folder]
}

function licenceOf(folder: string): string {
  const { name, version, license, main = '' }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[sc]e/i.test(each))
  const text =
    file === undefined
      ? headNoticeOf(dirname(join(folder, main))) || readmeNoticeOf(folder)
      : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n\n${'-'.repeat(80)}\n`
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly main?: string
}

/** Others have it in their readme. */
function readmeNoticeOf(folder: string): string {
  const file = readdirSync(folder).find((each) => /^readme/i.test(each))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
  return /^(?:#+ )?licen[sc]e\s[^]*$/im.exec(text)?.[0].trim() ?? ''
}

/** Some packages have their notice above their code alone. */
function headNoticeOf(folder: string): string {
  const heads = readdirSync(folder, { withFileTypes: true }).map((entry) =>
    entry.isFile() ? /^\/\*[\s\S]*?\*\//.exec(readFileSync(join(folder, entry.name), 'utf8'))?.[0] : undefined,
  )
  return heads.find((head) => head !== undefined) ?? ''
}
