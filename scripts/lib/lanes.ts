import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installLocked, type Readiness } from './install-locked.ts'
import { makeIfChanged } from './make-if-changed.ts'
import { npm, root, runCommand } from './run-command.ts'

/**
 * Additional packages for some tests: both majors of Vitest with coverage and browser mode, another Node.js, Jest, and
 * the real agents. Each lane is a folder of `test/lanes` with its own lock file.
 */
export type LaneName = 'agents' | 'claude' | 'jest' | 'node-22' | 'vitest-4' | 'vitest-5'

/** Lanes in which the packed package is installed. */
const takesPackage: readonly LaneName[] = ['jest', 'vitest-4', 'vitest-5']

export interface MissingLane {
  readonly name: LaneName
  readonly reason: string
}

/**
 * Installs lanes. Build dist/ first, because it is packed.
 * @returns the lanes that are not ready
 */
export async function prepareLanes(names: readonly LaneName[]): Promise<readonly MissingLane[]> {
  const missing: MissingLane[] = []
  let tarball: string | undefined
  for (const name of names) {
    const folder = `test/lanes/${name}`
    let result: Readiness = await installLocked(join(root, folder))
    if (result.ok && takesPackage.includes(name)) {
      tarball ??= await packPackage()
      result = tarball === undefined ? { ok: false, reason: '`npm pack` failed' } : await addPackage(folder, tarball)
    }
    if (result.ok) continue
    // Otherwise the tests would use the package of an earlier run.
    removePackage(folder)
    missing.push({ name, reason: result.reason })
  }
  return missing
}
/** Packs this package as if for publishing. Returns the absolute path of the file, or `undefined` on failure. */
async function packPackage(): Promise<string | undefined> {
  const folder = join(root, '.cache', 'pack')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Without scripts, because dist/ is already built.
  const packed = await runCommand(npm('pack', '--ignore-scripts', '--pack-destination', folder), { quiet: true })
  if (packed.exitCode !== 0) console.error(packed.output)
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  return packed.exitCode === 0 && file !== undefined ? join(folder, file) : undefined
}

async function addPackage(folder: string, tarball: string): Promise<Readiness> {
  const cwd = join(root, folder)
  const modules = join(cwd, 'node_modules')
  const installing = {
    inputs: [tarball, join(cwd, 'package-lock.json')],
    outputs: [join(modules, 'vitest-mdtest'), join(modules, '.package-lock.json')],
    note: join(modules, '.cache/vitest-mdtest-installed.json'),
  }
  try {
    await makeIfChanged(installing, async () => {
      // Remove the old package first, because npm does not replace a package of the same version.
      removePackage(folder)
      const { exitCode } = await runCommand(npm('install', '--no-save', '--no-audit', '--no-fund', tarball), { cwd })
      if (exitCode !== 0) throw new Error(`npm ended with exit code ${exitCode}`)
    })
    return { ok: true }
  } catch (error) {
    return { ok: false, reason: `installing the packed package in ${folder} failed: ${(error as Error).message}` }
  }
}

function removePackage(folder: string): void {
  rmSync(join(root, folder, 'node_modules', 'vitest-mdtest'), { recursive: true, force: true })
}
