import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npm, runCommand } from '../../scripts/lib/run-command.ts'
import type { Measure } from '../lib/measure.ts'
import { packInto } from '../lib/pack.ts'
import { assertCount } from '../lib/wrong-count.ts'

const name = 'install without the peer'

/** Bytes and packages that `npm install vitest-mdtest` adds to a project that already has Vitest. */
export const install: Measure = async ({ log }) => {
  const dir = await mkdtemp(join(tmpdir(), 'mdtest-bench-'))
  try {
    const tarball = await packInto(dir)
    await writeFile(join(dir, 'package.json'), '{ "private": true }\n')
    const flags = [
      '--omit=dev',
      '--legacy-peer-deps',
      '--prefer-offline',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ]
    const installed = await runCommand(npm('install', ...flags, tarball), { cwd: dir, quiet: true })
    if (installed.exitCode !== 0) {
      log(installed.output.trim())
      return [{ name, verdict: 'skipped', note: '`npm install` failed; is the registry in reach?' }]
    }
    const { size: tarballBytes } = await stat(tarball)
    const sizes = await packageSizes(join(dir, 'node_modules'))
    assertCount('installed vitest-mdtest', { expected: true, actual: sizes.has('vitest-mdtest') })
    assertCount('installed peers', { expected: false, actual: sizes.has('vitest') })
    const largest = [...sizes].toSorted(([, one], [, other]) => other - one).slice(0, 5)
    log(`largest: ${largest.map(([packageName, bytes]) => `${packageName} ${formatBytes(bytes)}`).join(', ')}`)
    const totalBytes = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const note = `${sizes.size} packages, ${totalBytes} bytes; tarball ${formatBytes(tarballBytes)}`
    return [{ name, ours: formatBytes(totalBytes), note }]
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Total size of each package in bytes. Nested packages are counted separately. */
async function packageSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = file.slice(folder.length - 'node_modules'.length)
    const found = /.*node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(path)?.[1]
    if (found !== undefined) sizes.set(found, (sizes.get(found) ?? 0) + (await stat(file)).size)
  }
  return sizes
}

function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
