import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { groundAt, type Ground } from '../files/ground.ts'
import { replaceFile } from '../files/write-file.ts'

/** A file that only this process can find, and that is gone with it. All methods throw what the system does. */
export interface UnnamedFile {
  append(text: string): void
  /**
   * Makes a file of that name of it, whole or not at all, in place of what is there.
   *
   * @param ground below it no link is followed; default: the folder of the file
   */
  copyTo(file: string, ground?: Ground): void
  /** Not an error the second time. */
  close(): void
}

const ownerOnly = 0o600
const copyBytes = 1024 * 1024

/** Makes one on the file system of a folder that exists. */
export function openUnnamedFile(folder: string): UnnamedFile {
  const name = join(folder, randomUUID())
  const descriptor = openSync(name, 'wx+', ownerOnly)
  unlinkSync(name)
  let size = 0
  let isOpen = true

  function copyInto(target: number): void {
    const buffer = Buffer.alloc(Math.min(copyBytes, size))
    for (let position = 0; position < size;) {
      const count = readSync(descriptor, buffer, 0, buffer.length, position)
      writeWhole(target, buffer.subarray(0, count))
      position += count
    }
  }

  return {
    append(text) {
      const bytes = Buffer.from(text)
      writeWhole(descriptor, bytes)
      size += bytes.length
    },
    copyTo(file, ground = groundAt(dirname(file))) {
      replaceFile(ground, file, { write: copyInto, mode: ownerOnly })
    },
    close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}

/** One write may take only a part. */
function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done, bytes.length - done)
}
