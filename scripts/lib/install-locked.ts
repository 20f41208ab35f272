import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, runCommand } from './run-command.ts'

/** Whether something is ready, and why not. */
export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** What we read of an entry of a lock file. */
interface LockedPackage {
  readonly version?: string
  readonly optional?: boolean
  readonly devOptional?: boolean
}

/**
 * Runs `npm ci` in a folder unless its node_modules already holds what its lock file says.
 * @param folder absolute path
 */
export async function installLocked(folder: string): Promise<Readiness> {
  const lockFile = join(folder, 'package-lock.json')
  if (!existsSync(lockFile)) return { ok: false, reason: `${lockFile} is missing` }
  if (isInstalled(folder)) return { ok: true }
  if (isLink(join(folder, 'node_modules'))) {
    // `npm ci` would empty the folder that the link points to.
    return {
      ok: false,
      reason: `${join(folder, 'node_modules')} is a link and out of date: install where it points to`,
    }
  }
  const { exitCode } = await runCommand(npm('ci', '--no-audit', '--no-fund'), { cwd: folder })
  return exitCode === 0
    ? { ok: true }
    : { ok: false, reason: `\`npm ci\` in ${folder} ended with exit code ${exitCode}` }
}

/** Compares contents, not times: a checkout changes the time of a lock file, a restored cache that of node_modules. */
function isInstalled(folder: string): boolean {
  const installedFile = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(installedFile)
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    // Optional packages of other platforms are rightly absent.
    return found === undefined ? entry.optional === true || entry.devOptional === true : found.version === entry.version
  })
}

function readPackages(file: string): Readonly<Record<string, LockedPackage>> {
  const { packages }: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(readFileSync(file, 'utf8'))
  return packages
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
