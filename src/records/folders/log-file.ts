import { isUtf8 } from 'node:buffer'
import { dirname, relative, resolve } from 'node:path'
import { orNothing } from '../../system/error-facts.ts'
import { groundAt, groundFor, type Ground } from '../../system/files/ground.ts'
import { lookAt, readFileIn, type FileReading } from '../../system/files/read-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { replaceFile, makeFolder, removeIn } from '../../system/files/write-file.ts'

interface LogPlace {
  readonly specFile: string
  readonly dir?: string
  readonly root: string
}

/** Below what the log folder of a spec is reached through no link: the spec's folder, or what `logs.dir` names. */
export function groundOfLogs({ specFile, dir, root }: LogPlace): Ground {
  return dir === undefined ? groundAt(dirname(resolve(root, specFile))) : groundFor(resolve(root, dir), root)
}

export function groundOfLogFolder(dir: string): Ground {
  return groundAt(dirname(dir))
}

export function groundOfLog(file: string): Ground {
  return groundOfLogFolder(dirname(file))
}

/** What a message calls a result log. Nothing where it is not there: the agent may have ended before it wrote one. */
export function nameLog(file: string | undefined, root: string): string | undefined {
  return file !== undefined && lookAt(groundOfLog(file), file)?.isFile() === true ? relative(root, file) : undefined
}

const maxShortBytes = 64 * 1024

/** The text of a result log that is short enough to stand in a report. Never throws. */
export function readShortLog(file: string): string | undefined {
  const reading = readFileIn(groundOfLog(file), file, maxShortBytes)
  return reading.ok && reading.stats.nlink === 1 && isUtf8(reading.bytes) ? reading.bytes.toString('utf8') : undefined
}

interface Described {
  readonly what: string
  readonly maxBytes: number
  readonly missing: string
}

export function describeFileProblem(
  problem: Extract<FileReading, { ok: false }>,
  { what, maxBytes, missing }: Described,
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

/** Writes a file whole or not at all. Links and pipes are replaced. @throws MdtestError `LOG_UNWRITABLE` */
export function writeLogFile(ground: Ground, file: string, text: string): void {
  try {
    replaceFile(ground, file, text)
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError('LOG_UNWRITABLE', `The file \`${file}\` cannot be written (${why}).`, {
      hint: 'Make its folder writable and remove what has its name.',
      cause: error,
    })
  }
}

/** Removes what an agent put in the place of a file of ours, and makes the folder where that is gone. Never throws. */
export function clearPlace(ground: Ground, file: string): void {
  // Writing the file fails as well, and says why.
  orNothing(() => {
    makeFolder(ground, dirname(file))
    removeIn(ground, file)
  })
}
