import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Absolute path of the repository, without a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Where src/ is compiled to, module by module. Absolute path. */
export const compiled = `${root}/.cache/compiled`

/** What is published. Absolute path. */
export const dist = `${root}/dist`

/** A program and its arguments. */
export type Argv = readonly [program: string, ...args: string[]]

export interface CommandOptions {
  /** Default: the repository's root. */
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Keeps the output back and returns it. */
  readonly quiet?: boolean
  readonly onStart?: (pid: number) => void
}

/** `exitCode` is 127 where the program does not start. `output` is empty unless `quiet`. */
export interface CommandResult {
  readonly exitCode: number
  readonly output: string
}

/** Runs a program with our own output streams and no input. */
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
    // A child ended by a signal has no exit code: that is a failure too.
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? 1, output }))
  })
}

/** `npm` by way of the Node that runs this, so that both are of one installation. */
export function npm(...args: string[]): Argv {
  const cli = process.env.npm_execpath
  return cli !== undefined && cli.endsWith('npm-cli.js') ? [process.execPath, cli, ...args] : ['npm', ...args]
}

/** A program of node_modules, started by Node itself. */
export function nodeProgram(path: string, ...args: string[]): Argv {
  return [process.execPath, `node_modules/${path}`, ...args]
}

/** One of our scripts, as `scripts/start` starts it. */
export function script(name: string, ...args: string[]): Argv {
  return nodeProgram('jiti/lib/jiti-cli.mjs', `scripts/${name}.ts`, ...args)
}
