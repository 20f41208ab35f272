import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A Node.js and a Vitest that the end-to-end tests run on. */
export interface Lane {
  readonly name: string
  readonly node: string
  /** Packages that a project finds in its `node_modules`, by name. */
  readonly packages: Readonly<Record<string, string>>
  /** Why the lane cannot be used, where it cannot. */
  readonly unavailable: string | undefined
}

/** The Vitest of this repository, on the Node.js that runs the tests. */
export const vitest4: Lane = {
  name: 'Vitest 4',
  node: process.execPath,
  packages: {
    vitest: `${root}node_modules/vitest`,
    vite: `${root}node_modules/vite`,
    'vitest-mdtest': root,
  },
  unavailable: undefined,
}

const lane5 = `${root}test/lanes/vitest-5/node_modules/`

/** Vitest 5 on a Node.js of its own, with this package as it is packed. */
const vitest5: Lane = {
  name: 'Vitest 5',
  node: `${lane5}node/bin/node`,
  packages: {
    vitest: `${lane5}vitest`,
    vite: `${lane5}vite`,
    'vitest-mdtest': `${lane5}vitest-mdtest`,
  },
  unavailable: existsSync(`${lane5}vitest-mdtest/dist/bin.js`) ? undefined : 'run `npm test` once to install it',
}

/** Both majors; one that is not installed is left out, except under CI. */
export const lanes: readonly Lane[] = [vitest4, vitest5]

const laneOfJest = `${root}test/lanes/jest/node_modules/`

/** Jest with this package as it is packed, and without Vitest. */
export const jest: Lane = {
  name: 'Jest',
  node: process.execPath,
  packages: { jest: `${laneOfJest}jest`, 'vitest-mdtest': `${laneOfJest}vitest-mdtest` },
  unavailable: existsSync(`${laneOfJest}vitest-mdtest/dist/public/jest.js`)
    ? undefined
    : 'run `npm test` once to install it',
}
