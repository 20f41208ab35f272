import { MdtestError, type MdtestErrorCode } from '../mdtest-error.ts'
import type { Program } from './launcher/launch.ts'
import { isNativeError } from 'node:util/types'
import { errorCode, messageOf } from '../error-facts.ts'
import { statsOf } from '../files/paths.ts'

/** A program to start with its standard output and error read. */
export interface Command extends Omit<Program, 'argv0'> {
  /** What it reads on its standard input, which then ends. Default: nothing */
  readonly input?: string
}

/** How a command ended. Never thrown. */
export type CommandEnd =
  | { readonly reason: 'exit'; readonly exitCode: number }
  | { readonly reason: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly reason: 'hard-timeout' | 'silence-timeout'; readonly limitMs: number }
  | { readonly reason: 'canceled' }
  /** `lost`: it ran, and nobody can tell how it ended. */
  | { readonly reason: 'spawn-failed' | 'lost'; readonly error: MdtestError }

/** Says why a command could not be started and what to do about it. */
export function toSpawnError(command: Command, cause: unknown): MdtestError {
  if (cause instanceof MdtestError) return cause
  const { code, message, hint } = describe(command, cause)
  return new MdtestError(code, message, { hint, cause })
}

interface Description {
  readonly code: MdtestErrorCode
  readonly message: string
  readonly hint: string
}

function describe({ argv, cwd, env }: Command, cause: unknown): Description {
  const program = `\`${argv[0]}\``
  if ([...argv, cwd, ...Object.entries(env).flat()].some((text) => text.includes('\0'))) {
    return {
      code: 'EXEC_INVALID_ARGUMENT',
      message: `Could not start ${JSON.stringify(argv[0])}: an argument, a variable or the directory holds a NUL character.`,
      hint: 'Remove the NUL character.',
    }
  }
  if (!isDirectory(cwd)) {
    return {
      code: 'EXEC_BAD_CWD',
      message: `Could not start ${program}: its working directory \`${cwd}\` is not a directory.`,
      hint: 'Create the directory or correct the path.',
    }
  }
  switch (codeInChain(cause)) {
    case 'ENOENT':
      return describeMissing(argv[0])
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'EXEC_NOT_EXECUTABLE',
        message: `Could not start ${program}: permission was denied.`,
        hint: 'Make the file executable (`chmod +x`) and its directories accessible.',
      }
    case 'E2BIG':
      return {
        code: 'EXEC_TOO_LONG',
        message: `Could not start ${program}: its arguments and environment are longer than the system allows.`,
        hint: 'Shorten the prompt or the spec (Linux takes 128 KiB in one argument), or set fewer variables.',
      }
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return {
        code: 'EXEC_NO_RESOURCES',
        message: `Could not start ${program}: the system has no more processes, files or memory to give (${codeInChain(cause)}).`,
        hint: 'Run fewer things at once or raise the limits (`ulimit -a`).',
      }
    default:
      return {
        code: 'EXEC_SPAWN_FAILED',
        message: `Could not start ${program}: ${messageOf(cause)}.`,
        hint: 'Run the program by hand in the same directory to see more.',
      }
  }
}

/** ENOENT also means that the interpreter in the first line of a script is missing. */
function describeMissing(program: string): Description {
  if (program.includes('/') && isThere(program)) {
    return {
      code: 'EXEC_NOT_FOUND',
      message: `Could not start \`${program}\`: the interpreter that its first line names was not found.`,
      hint: 'Install the interpreter or correct the first line.',
    }
  }
  return {
    code: 'EXEC_NOT_FOUND',
    message: `Could not start \`${program}\`: the program was not found.`,
    hint: program.includes('/') ? 'Correct the path.' : 'Install it, or add its directory to PATH.',
  }
}

function codeInChain(error: unknown): string | undefined {
  if (!isNativeError(error)) return undefined
  return errorCode(error) ?? codeInChain(error.cause)
}

function isDirectory(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined
}
