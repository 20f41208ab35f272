import { isUtf8 } from 'node:buffer'
import { dirname, relative, resolve } from 'node:path'
import { orNothing } from '../../system/error-facts.ts'
import { groundAt, groundFor, type Ground } from '../../system/files/trusted-folder.ts'
import { lookAt, readFileIn, type FileReading } from '../../system/files/read-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { removeIn } from '../../system/files/remove-files.ts'
import { replaceFile, makeFolder } from '../../system/files/write-file.ts'

export interface LogPlace {
  readonly specFile: string
  readonly dir?: string
  readonly root: string
}

/** The ground is the folder of the spec, or `logs.dir`: links on the way from there to a log are not followed. */
export function groundOfLogs({ specFile, dir, root }: LogPlace): Ground {
  return dir === undefined ? groundAt(dirname(resolve(root, specFile))) : groundFor(resolve(root, dir), root)
}

export function groundOfLogFolder(dir: string): Ground {
  return groundAt(dirname(dir))
}

export function groundOfLog(file: string): Ground {
  return groundOfLogFolder(dirname(file))
}

export function nameLog(file: string | undefined, root: string): string | undefined {
  return file !== undefined && lookAt(groundOfLog(file), file)?.isFile() === true ? relative(root, file) : undefined
}

const maxShortBytes = 64 * 1024

export function readShortLog(file: string): string | undefined {
  const reading = readFileIn(groundOfLog(file), file, maxShortBytes)
  return reading.ok && reading.stats.nlink === 1 && isUtf8(reading.bytes) ? reading.bytes.toString('utf8') : undefined
}

export function describeFileProblem(
  problem: Extract<FileReading, { ok: false }>,
  { what, maxBytes, missing }: { readonly what: string; readonly maxBytes: number; readonly missing: string },
): string {
  switch (problem.why) {
    case 'missing':
      return missing
    case 'too-large':
      return `The ${what} has more than ${maxBytes} bytes.`
    case 'not-regular':
      return `The ${what} is ${problem.found}, not a regular file.`
    case 'refused':
      return `The ${what} cannot be read: ${problem.message}.`
    case 'unreadable':
      return `The ${what} cannot be read (${problem.errorCode}).`
    default:
      return problem satisfies never
  }
}

/** Writes a file atomically. Replaces a link or pipe in its place. @throws MdtestError `LOG_UNWRITABLE` */
export function writeLogFile(ground: Ground, file: string, text: string): void {
  try {
    replaceFile(ground, file, text)
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError('LOG_UNWRITABLE', `The file \`${file}\` cannot be written (${why}).`, {
      hint: 'Make its folder writable and remove anything else with its name.',
      cause: error,
    })
  }
}

/** Removes what an agent put in the place of a log file. Creates the folder if it is missing. Never throws. */
export function clearPlace(ground: Ground, file: string): void {
  // Ignore errors: when the file is written later, the reason is reported.
  orNothing(() => {
    makeFolder(ground, dirname(file))
    removeIn(ground, file)
  })
}
