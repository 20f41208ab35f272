import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A Node.js and a Vitest that tests of whole projects run on. */
export interface Lane {
  readonly node: string
  readonly vitestMajor?: 4 | 5
  /** Packages that a project finds in its `node_modules`, by name. */
  readonly packages: Readonly<Record<string, string>>
  /** Why a lane that some tests need cannot be used, where it cannot. */
  readonly unavailable?: string | undefined
}

const vitest5 = packagesIn(`${root}test/lanes/vitest-5/node_modules/`)

const lanes: Readonly<Record<string, Lane>> = {
  // The Vitest of this repository, on the Node.js that runs the tests; `test/build.ts` puts the package there.
  'vitest-4': {
    node: process.execPath,
    vitestMajor: 4,
    packages: {
      ...packagesIn(`${root}node_modules/`),
      'vitest-mdtest': `${root}.cache/package/node_modules/vitest-mdtest`,
    },
  },
  // The package as it is packed.
  'vitest-5': { node: nodeOf('vitest-5'), vitestMajor: 5, packages: vitest5 },
  'node-22': { node: nodeOf('node-22'), vitestMajor: 5, packages: vitest5 },
}

/** The lane that `MDTEST_LANE` names. `npm test` runs the end-to-end tests once on each. */
export const lane: Lane = chosenLane(process.env.MDTEST_LANE ?? 'vitest-4')

const jestPackages = `${root}test/lanes/jest/node_modules/`

/** Jest with this package as it is packed, and without Vitest. */
export const jest: Lane = {
  node: process.execPath,
  packages: { jest: `${jestPackages}jest`, 'vitest-mdtest': `${jestPackages}vitest-mdtest` },
  unavailable: existsSync(`${jestPackages}vitest-mdtest/dist/public/jest.js`)
    ? undefined
    : 'run `npm test` once to install it',
}

function chosenLane(name: string): Lane {
  const chosen = lanes[name]
  if (chosen === undefined) throw new Error(`MDTEST_LANE is one of ${Object.keys(lanes).join(', ')}, not ${name}`)
  const missing = [chosen.node, ...Object.values(chosen.packages)].find((path) => !existsSync(path))
  if (missing !== undefined) throw new Error(`${missing} is missing: run \`npm test\` once to install the lane ${name}`)
  return chosen
}

function packagesIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(['vitest', 'vite', 'vitest-mdtest'].map((name) => [name, folder + name]))
}

function nodeOf(name: string): string {
  return `${root}test/lanes/${name}/node_modules/node/bin/node`
}
