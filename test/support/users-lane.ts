import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lane, type Lane } from './lane.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = `${root}test/lanes/vitest-${lane.vitestMajor}/node_modules/`
const names = ['vitest', 'vite', 'vitest-mdtest', '@vitest', 'playwright', 'flatted']

/** The lane with all that a user's project may have beside Vitest: coverage, UI, browser mode, type checking. */
export const usersLane: Lane = {
  ...lane,
  packages: {
    ...Object.fromEntries(names.map((name) => [name, folder + name])),
    typescript: `${root}node_modules/typescript`,
  },
  unavailable: existsSync(`${folder}vitest-mdtest/dist/bin.js`) ? undefined : 'run `npm test` once to install it',
}

/** Absolute path of the browser that Debian's package `chromium` installs, where it is. */
export const chromium: string | undefined = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) =>
  existsSync(path),
)
