import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './run-command.mjs'

/** Loaded by browser specs alone, from where the user has installed them. */
const optionalPeers = [/^ai$/, /^@ai-sdk\//, /^@modelcontextprotocol\/client(?:\/|$)/]

const dist = join(root, 'dist')

/**
 * Replaces modules of dist/ by bundles of themselves and all that they import: loading one file takes a tenth of the
 * time that loading some hundred takes. What several of them need is shared, in `chunks`. Vitest stays outside.
 * @param {{ entries: readonly string[], chunks: string }} bundle paths in dist/, entries without `.js`
 * @returns {Promise<readonly string[]>} folders of the packages that it holds
 */
export async function bundleInPlace({ entries, chunks }) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(dist, `${entry}.js`)])),
    platform: 'node',
    external: [/^node:/, /^@lydell\//, /^@xterm\//, /^vitest(?:\/|$)/, ...optionalPeers],
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${chunks}/[name].js`,
    // White space and comments are parsed anew in every worker.
    minify: { compress: false, mangle: false, codegen: true },
  })
  await bundle.close()
  return output.flatMap(({ moduleIds = [] }) => moduleIds.flatMap(packageOf))
}

/** @param {readonly string[]} folders of packages, also several times */
export function writeLicences(folders) {
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), [...new Set(folders)].toSorted().map(licenceOf).join('\n'))
}

/**
 * Writes a module of dist/ and all that it imports as one CommonJS file beside it: Jest's own module system takes
 * nothing else.
 * @param {string} entry path in dist/, without `.js`
 */
export async function bundleToCommonJs(entry) {
  const bundle = await rolldown({ input: join(dist, `${entry}.js`), platform: 'node', external: [/^node:/] })
  await bundle.write({ file: join(dist, `${entry}.cjs`), format: 'cjs' })
  await bundle.close()
}

/**
 * Makes the page of the report in dist/: one script, the shells and their style.
 * @param {string} folder path in src/ and dist/
 */
export async function bundlePage(folder) {
  const [source, target] = [join(root, 'src', folder), join(dist, folder)]
  const bundle = await rolldown({ input: join(source, 'main.ts'), platform: 'browser' })
  await bundle.write({ file: join(target, 'report.js'), format: 'iife', minify: true })
  await bundle.close()
  for (const name of ['index.html', 'sessions.html', 'report.css']) copyFileSync(join(source, name), join(target, name))
}

function packageOf(moduleId) {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId)?.[0]
  return folder === undefined ? [] : [folder]
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[sc]e/i.test(each))
  const text =
    file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}\n\n${'-'.repeat(80)}\n`
}
