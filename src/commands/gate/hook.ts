import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gateEnvironment } from './gates/gate-environment.ts'
import { findHook, installHook, removeHook } from './hook/git-hook.ts'
import { readGateConfig } from '../project-config/read-gate-config.ts'
import type { Surroundings } from '../common/surroundings.ts'
import type { Asked } from './asked.ts'

/** Has git run the gates before each commit. */
export async function addHook({ root, file }: Asked, { env, stdout }: Surroundings): Promise<boolean> {
  // A hook without gates would refuse every commit.
  await readGateConfig({ root, file })
  const place = await findHook(root, gateEnvironment(env))
  await installHook(place, {
    root,
    configFile: file,
    machine: { nodeFolder: dirname(process.execPath), program: programFile() },
  })
  stdout.write(`${place.file} runs the gates before each commit.\n`)
  return true
}

/** Has git not run them any more. */
export async function takeHook({ root }: Asked, { env, stdout }: Surroundings): Promise<boolean> {
  const place = await findHook(root, gateEnvironment(env))
  const wasThere = await removeHook(place)
  stdout.write(wasThere ? `${place.file} does not run the gates any more.\n` : `${place.file} did not run the gates.\n`)
  return true
}

function programFile(): string {
  return join(dirname(createRequire(import.meta.url).resolve('vitest-mdtest/package.json')), 'dist', 'bin.js')
}
