import { installLocked } from './install-locked.mjs'
import { root, runCommand } from './run-command.mjs'

/** Installs the locked packages and builds dist/, as far as needed. Ends the script with the reason where it cannot. */
export async function prepare() {
  await prepareModules()
  const { exitCode } = await runCommand([process.execPath, 'scripts/build.mjs'])
  if (exitCode !== 0) fail('the build failed')
}

/** Installs the locked packages where they are missing. */
export async function prepareModules() {
  const installed = await installLocked(root)
  if (!installed.ok) fail(installed.reason)
}

function fail(reason) {
  console.error(`Cannot go on: ${reason}.`)
  process.exit(1)
}
