import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { npm, runCommand } from '../../scripts/lib/run-command.ts'
import { at } from './at.ts'
import { assertCount } from './wrong-count.ts'

/**
 * Packs this package as if for publishing.
 * @param dir an empty folder
 * @returns absolute path of the tarball
 */
export async function packInto(dir: string): Promise<string> {
  const packed = await runCommand(npm('pack', '--ignore-scripts', '--silent', '--pack-destination', dir), {
    quiet: true,
  })
  assertCount('exit code of `npm pack`', { expected: 0, actual: packed.exitCode, details: packed.output })
  const tarballs = (await readdir(dir)).filter((file) => file.endsWith('.tgz'))
  assertCount('tarballs', { expected: 1, actual: tarballs.length })
  return join(dir, at(tarballs, 0))
}
