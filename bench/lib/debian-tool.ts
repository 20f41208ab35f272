import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from '../../scripts/lib/run-command.ts'

interface DebianTool {
  readonly program: string
  readonly package: string
}

/**
 * Finds a program on PATH, or installs its Debian package if this process runs as root.
 * @returns absolute path
 */
export async function debianTool({ program, package: name }: DebianTool): Promise<string | undefined> {
  const found = find(program)
  if (found !== undefined || process.getuid?.() !== 0 || find('apt-get') === undefined) return found
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', name],
  ]) {
    const { exitCode } = await runCommand(['apt-get', ...args], { env, quiet: true })
    if (exitCode !== 0) return undefined
  }
  return find(program)
}

function find(program: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))
}
