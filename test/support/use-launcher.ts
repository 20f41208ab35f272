import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { startLauncher, type LauncherAddress } from '../../src/system/process/launcher/launcher.ts'

/** A launcher for the tests of a file. */
export function useLauncher(): LauncherAddress {
  // Short: the path of a socket has a limit.
  const folder = mkdtempSync('/tmp/mdtest-launcher-')
  const launcher = startLauncher({ runMark: `launcher-of-${folder}`, socketPath: join(folder, 'socket') })
  beforeAll(() => launcher.ready)
  afterAll(() => {
    launcher.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return launcher.address
}
