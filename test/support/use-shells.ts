import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { openShell, type Shell } from '../../src/system/shell/open-shell.ts'
import type { ShellOptions } from '../../src/system/shell/open-shell-result.ts'
import { useLauncher } from './use-launcher.ts'

/** A shell, and the folders that it got. */
interface OpenedShell {
  readonly shell: Shell
  readonly cwd: string
  readonly tempDir: string
}

const plainEnv = (): ShellOptions['env'] => ({ PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' })

/** Gives what opens shells in folders of their own, each of which is closed after its test. */
export function useShells(
  envIn: (cwd: string, tempDir: string) => ShellOptions['env'] = plainEnv,
): (options?: Partial<ShellOptions>) => OpenedShell {
  const launcher = useLauncher()
  const cleanUps: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp()
  })
  return (options) => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-shell-')))
    const tempDir = mkdtempSync(join(tmpdir(), 'mdtest-shell-temp-'))
    const shell = openShell({ launcher, cwd, env: envIn(cwd, tempDir), tempDir, ...options })
    cleanUps.push(async () => {
      await shell.close()
      for (const directory of [cwd, tempDir]) rmSync(directory, { recursive: true, force: true })
    })
    return { shell, cwd, tempDir }
  }
}
