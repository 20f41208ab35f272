import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Absolute path of the repository, without a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Where src/ is compiled to, module by module. Absolute path. */
export const compiled = `${root}/.cache/compiled`

/** What is published. Absolute path. */
export const dist = `${root}/dist`

/**
 * Runs a program from the repository's root with our own output streams and no input.
 * @param {readonly [string, ...string[]]} argv
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {Record<string, string | undefined>} [options.env]
 * @param {boolean} [options.quiet] keeps the output back and returns it
 * @param {(pid: number) => void} [options.onStart]
 * @returns {Promise<{ exitCode: number, output: string }>} `exitCode` is 127 where the program does not start.
 */
export function runCommand([file, ...args], { cwd = root, env = process.env, quiet = false, onStart } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    if (child.pid !== undefined) onStart?.(child.pid)
    let output = ''
    const keep = (chunk) => {
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
export function npm(...args) {
  const cli = process.env.npm_execpath
  return cli !== undefined && cli.endsWith('npm-cli.js') ? [process.execPath, cli, ...args] : ['npm', ...args]
}

/** A program of node_modules, started by Node itself. */
export function nodeProgram(path, ...args) {
  return [process.execPath, `node_modules/${path}`, ...args]
}
