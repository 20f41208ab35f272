import { relative } from 'node:path'
import { lookAt } from '../../system/files/read-file.ts'
import { groundOfLog } from './log-ground.ts'

/**
 * What a message calls a result log: its path relative to the root. Nothing where it is not there: the agent may have
 * ended before it wrote one.
 *
 * @param file absolute path
 */
export function nameLog(file: string | undefined, root: string): string | undefined {
  return file !== undefined && lookAt(groundOfLog(file), file)?.isFile() === true ? relative(root, file) : undefined
}
