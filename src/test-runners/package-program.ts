import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The program of a package in the project's `node_modules`, else whichever npx finds; nothing is ever installed. */
export function packageProgram(root: string, name: string): [string, ...string[]] {
  const local = join(root, 'node_modules', '.bin', name)
  return existsSync(local) ? [local] : ['npx', '--no-install', name]
}

/** The first of these files in the project, as an absolute path, else the program of that name on `PATH`. */
export function projectProgram(root: string, files: readonly string[], onPath: string): string {
  return files.map((file) => join(root, file)).find((file) => existsSync(file)) ?? onPath
}
