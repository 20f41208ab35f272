import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, runCommand } from './run-command.ts'

export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** The part of a lock file's entry that is read here. */
interface LockedPackage {
  readonly version?: string
  readonly optional?: boolean
  readonly devOptional?: boolean
}

/**
 * Runs `npm ci` in a folder unless its node_modules already matches its lock file.
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

/** Compares contents, not times, because checkouts and restored caches change times. */
function isInstalled(folder: string): boolean {
  const installedFile = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(installedFile)
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    // Optional packages for other platforms are not installed.
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
