import { join } from 'node:path'
import { findOnPath } from '../../../system/files/find-on-path.ts'

/** Where programs are looked for. */
export interface ProgramPlaces {
  /** Absolute paths, the first that is there counts. */
  readonly usual: readonly string[]
  /** Value of PATH. */
  readonly path: string
}

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome']

/** Absolute path of the system's Chrome or Chromium: at the usual places, then on PATH. */
export function findChrome({ usual, path }: ProgramPlaces): string | undefined {
  return [...usual, ...names].map((name) => findOnPath(name, { path, cwd: '/' })).find((file) => file !== undefined)
}

/** Where installers put Chrome and Chromium. */
export function usualPlaces(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (process.platform !== 'darwin') {
    return ['/opt/google/chrome/chrome', ...names.map((name) => join('/usr/bin', name)), '/snap/bin/chromium']
  }
  const folders = ['/Applications', ...(env.HOME === undefined ? [] : [join(env.HOME, 'Applications')])]
  return folders.flatMap((folder) =>
    ['Google Chrome', 'Chromium'].map((app) => join(folder, `${app}.app`, 'Contents/MacOS', app)),
  )
}
