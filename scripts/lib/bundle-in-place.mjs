import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './run-command.mjs'

const dist = join(root, 'dist')

/**
 * Replaces modules of dist/ by bundles of themselves and all that they import: loading one file takes a tenth of the
 * time that loading some hundred takes. Vitest stays outside, and the error class, whose identity matters.
 * @param {readonly string[]} entries paths in dist/
 */
export async function bundleInPlace(entries) {
  const packages = new Set()
  for (const entry of entries) {
    const bundle = await rolldown({
      input: join(dist, entry),
      platform: 'node',
      external: [/^node:/, /^vitest(?:\/|$)/, /\bshared\/mdtest-error\.js$/],
    })
    const { output } = await bundle.write({ file: join(dist, `${entry}.tmp`), format: 'esm' })
    await bundle.close()
    for (const { moduleIds = [] } of output) for (const id of moduleIds) addPackageOf(id, packages)
    renameSync(join(dist, `${entry}.tmp`), join(dist, entry))
  }
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), [...packages].toSorted().map(licenceOf).join('\n'))
}

function addPackageOf(moduleId, packages) {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId)?.[0]
  if (folder !== undefined) packages.add(folder)
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[sc]e/i.test(each))
  const text =
    file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}\n\n${'-'.repeat(80)}\n`
}
