import { MdtestError, type MdtestErrorCode } from '../mdtest-error.ts'
import type { Program } from './launcher/launch.ts'
import { isNativeError } from 'node:util/types'
import { errorCode, messageOf } from '../error-facts.ts'
import { statsOf } from '../files/paths.ts'
import type { KnownEnd } from '../text/wording.ts'

/** A program whose standard output and error are read. */
export interface Command extends Omit<Program, 'argv0'> {
  /** Text for the program's standard input. Default: nothing */
  readonly input?: string
}

export type CommandEnd =
  | KnownEnd
  /** `lost`: the program started, but how it ended is unknown. */
  | { readonly reason: 'spawn-failed' | 'lost'; readonly error: MdtestError }

export function toSpawnError(command: Command, cause: unknown): MdtestError {
  if (cause instanceof MdtestError) return cause
  const { code, why, hint } = describeStartFailure(command, cause)
  const [program] = command.argv
  const name = program.includes('\0') ? JSON.stringify(program) : program
  return new MdtestError(code, `Could not start \`${name}\`: ${why}.`, { hint, cause })
}

type Description = Readonly<Record<'why' | 'hint', string>> & { readonly code: MdtestErrorCode }

const descriptions: readonly (Description & { readonly of: readonly string[] })[] = [
  {
    of: ['EACCES', 'EPERM'],
    code: 'EXEC_NOT_EXECUTABLE',
    why: 'permission was denied',
    hint: 'Make the file executable (`chmod +x`) and its directories accessible.',
  },
  {
    of: ['E2BIG'],
    code: 'EXEC_TOO_LONG',
    why: 'its arguments and environment are longer than the system allows',
    hint: 'Shorten the prompt or the spec (Linux takes 128 KiB in one argument), or set fewer variables.',
  },
  {
    of: ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'],
    code: 'EXEC_NO_RESOURCES',
    why: 'the system is out of processes, open files or memory',
    hint: 'Run fewer things at once or raise the limits (`ulimit -a`).',
  },
]

function describeStartFailure({ argv: [program, ...args], cwd, env }: Command, cause: unknown): Description {
  if ([program, ...args, cwd, ...Object.entries(env).flat()].some((text) => text.includes('\0'))) {
    const why = 'an argument, a variable or the directory holds a NUL character'
    return { code: 'EXEC_INVALID_ARGUMENT', why, hint: 'Remove the NUL character.' }
  }
  if (statsOf(cwd)?.isDirectory() !== true) {
    const why = `its working directory \`${cwd}\` is not a directory`
    return { code: 'EXEC_BAD_CWD', why, hint: 'Create the directory or correct the path.' }
  }
  const code = codeInChain(cause) ?? ''
  if (code === 'ENOENT') return programNotFound(program)
  const hint = 'Run the program by hand in the same directory to see more.'
  return descriptions.find(({ of }) => of.includes(code)) ?? { code: 'EXEC_SPAWN_FAILED', why: messageOf(cause), hint }
}

function programNotFound(program: string): Description {
  if (program.includes('/') && statsOf(program) !== undefined) {
    const why = 'the interpreter that its first line names was not found'
    return { code: 'EXEC_NOT_FOUND', why, hint: 'Install the interpreter or correct the first line.' }
  }
  const hint = 'Correct the path, or install the program in a directory of PATH. Give each argument by itself.'
  return { code: 'EXEC_NOT_FOUND', why: 'the program was not found', hint }
}

function codeInChain(error: unknown): string | undefined {
  if (!isNativeError(error)) return undefined
  return errorCode(error) ?? codeInChain(error.cause)
}
