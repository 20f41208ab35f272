import { installLocked } from './install-locked.ts'
import { root, runCommand, script } from './run-command.ts'

/** Installs the locked packages and builds dist/ if necessary. Prints the reason and exits if this fails. */
export async function prepare(): Promise<void> {
  await prepareModules()
  const { exitCode } = await runCommand(script('build'))
  if (exitCode !== 0) fail('the build failed')
}

/** Installs the locked packages if they are missing or have other versions. */
export async function prepareModules(): Promise<void> {
  const installed = await installLocked(root)
  if (!installed.ok) fail(installed.reason)
}

function fail(reason: string): never {
  console.error(`Cannot go on: ${reason}.`)
  process.exit(1)
}
