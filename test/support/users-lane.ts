import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lanes, type Lane } from './lanes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The lanes with all that a user's project may have beside Vitest: coverage, browser mode, type checking. */
export const usersLanes: readonly Lane[] = lanes.map((lane) => {
  const folder = `${root}test/lanes/${lane.name === 'Vitest 5' ? 'vitest-5' : 'vitest-4'}/node_modules/`
  const names = ['vitest', 'vite', 'vitest-mdtest', '@vitest', 'playwright']
  return {
    ...lane,
    packages: {
      ...Object.fromEntries(names.map((name) => [name, folder + name])),
      typescript: `${root}node_modules/typescript`,
    },
    unavailable:
      lane.unavailable ??
      (existsSync(`${folder}vitest-mdtest/dist/bin.js`) ? undefined : 'run `npm test` once to install it'),
  }
})

/** Absolute path of the browser that Debian's package `chromium` installs, where it is. */
export const chromium: string | undefined = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) =>
  existsSync(path),
)
