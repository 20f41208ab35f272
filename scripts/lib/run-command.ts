import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Absolute path of the repository, without a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Absolute path of the folder to which src/ is compiled, module by module. */
export const compiled = `${root}/.cache/compiled`

/** Absolute path of the folder that is published. */
export const dist = `${root}/dist`

export type Argv = readonly [program: string, ...args: string[]]

export interface CommandOptions {
  /** Default: the repository's root */
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Returns the output instead of printing it. */
  readonly quiet?: boolean
  readonly onStart?: (pid: number) => void
}

/** `exitCode` is 127 if the program could not be started. `output` is empty unless `quiet` is set. */
export interface CommandResult {
  readonly exitCode: number
  readonly output: string
}

/** Runs a program that inherits the output streams and gets no input. */
export function runCommand([file, ...args]: Argv, options: CommandOptions = {}): Promise<CommandResult> {
  const { cwd = root, env = process.env, quiet = false, onStart } = options
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    if (child.pid !== undefined) onStart?.(child.pid)
    let output = ''
    const keep = (chunk: string) => {
      output += chunk
    }
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    child.once('error', (error) => resolve({ exitCode: 127, output: `${output}${error.message}\n` }))
    // A child that was ended by a signal has no exit code and counts as failed.
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? 1, output }))
  })
}

/** The command line of `npm`, run by the current Node.js, so that both belong to the same installation. */
export function npm(...args: string[]): Argv {
  const cli = process.env.npm_execpath
  return cli !== undefined && cli.endsWith('npm-cli.js') ? [process.execPath, cli, ...args] : ['npm', ...args]
}

/** The command line of a program from node_modules, run by the current Node.js. */
export function nodeProgram(path: string, ...args: string[]): Argv {
  return [process.execPath, `node_modules/${path}`, ...args]
}

/** The command line of a script in `scripts/`, the same as that of `scripts/start`. */
export function script(name: string, ...args: string[]): Argv {
  return nodeProgram('jiti/lib/jiti-cli.mjs', `scripts/${name}.ts`, ...args)
}
