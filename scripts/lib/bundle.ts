import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { compiled, dist, root } from './run-command.ts'

/** Not bundled: only browser specs and ACP agents need these packages, and the user installs them. */
const optionalPeers = [/^@agentclientprotocol\/sdk$/, /^ai$/, /^@ai-sdk\//]

/** Paths are relative to .cache/compiled/ and dist/. Entries have no `.js`. */
interface Bundled {
  readonly entries: readonly string[]
  readonly chunks: string
  /** Packages from another bundle: their names, and their names in `imports` of package.json. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

/**
 * Bundles each entry with all its imports into one file in dist/, which loads ten times faster than hundreds of files.
 * Code that several entries need goes to `chunks`. Vitest is not bundled.
 * @returns folders of the bundled packages
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
    // Remove white space and comments, because every worker would parse them again.
    minify: { compress: false, mangle: false, codegen: true },
  })
  await bundler.close()
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds.flatMap(packageOf) : []))
}

/** @param folders folders of packages; may contain duplicates */
export function writeLicences(folders: readonly string[]): void {
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), [...new Set(folders)].toSorted().map(licenceOf).join('\n'))
}

/**
 * Bundles a module with all its imports into one CommonJS file in dist/, because Jest can load only CommonJS.
 * @param entry path in .cache/compiled/ and dist/, without `.js`
 */
export async function bundleToCommonJs(entry: string): Promise<void> {
  const bundler = await rolldown({ input: join(compiled, `${entry}.js`), platform: 'node', external: [/^node:/] })
  await bundler.write({ file: join(dist, `${entry}.cjs`), format: 'cjs' })
  await bundler.close()
}

/**
 * Builds the page of the report in dist/: one script, the HTML files and their style.
 * @param folder path in src/ and dist/
 */
export async function bundlePage(folder: string): Promise<void> {
  const [source, target] = [join(root, 'src', folder), join(dist, folder)]
  const bundler = await rolldown({ input: join(source, 'main.ts'), platform: 'browser', external: [/^node:/] })
  await bundler.write({ file: join(target, 'report.js'), format: 'iife', minify: true })
  await bundler.close()
  for (const name of readdirSync(source).filter((each) => each.endsWith('.html')))
    copyFileSync(join(source, name), join(target, name))
  writeFileSync(join(target, 'report.css'), readStyle(join(source, 'report.css')))
}

/** Reads a style with its imports inlined, so that the page loads a single file. */
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

/** The license from the readme, for packages without a license file. */
function readmeNoticeOf(folder: string): string {
  const file = readdirSync(folder).find((each) => /^readme/i.test(each))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
  return /^(?:#+ )?licen[sc]e\s[^]*$/im.exec(text)?.[0].trim() ?? ''
}

/** The license from the head of a source file, for packages that have it nowhere else. */
function headNoticeOf(folder: string): string {
  const heads = readdirSync(folder, { withFileTypes: true }).map((entry) =>
    entry.isFile() ? /^\/\*[\s\S]*?\*\//.exec(readFileSync(join(folder, entry.name), 'utf8'))?.[0] : undefined,
  )
  return heads.find((head) => head !== undefined) ?? ''
}
