import { lstatSync } from 'node:fs'
import { join, posix } from 'node:path'
import { groundAt } from '../system/files/trusted-folder.ts'
import { kindInWords } from '../system/files/read-file.ts'
import { makeFolder, replaceFile } from '../system/files/write-file.ts'
import type { Block } from '../spec/spec.ts'
import { fail, type BlockFinding } from './block-finding.ts'
import { messageOf } from '../system/error-facts.ts'

type FileBlock = Extract<Block, { kind: 'file' }>

export function writeFileBlock({ code, attributes }: FileBlock, cwd: string): BlockFinding {
  const { file } = attributes
  const problem = file === undefined ? 'The block names no file.' : putFile(file, { cwd, text: code && `${code}\n` })
  return problem === undefined ? { status: 'pass', message: '' } : fail(problem)
}

function putFile(file: string, { cwd, text }: { readonly cwd: string; readonly text: string }): string | undefined {
  const names = pathParts(file)
  const [name] = names.slice(-1)
  if (name === undefined || names.includes('..')) return `\`file=${file}\` leads out of the working directory.`
  try {
    let folder = cwd
    for (const part of names.slice(0, -1)) {
      folder = join(folder, part)
      const stats = lstatSync(folder, { throwIfNoEntry: false })
      if (stats && !stats.isDirectory())
        return `\`file=${file}\` cannot be written: \`${part}\` is ${kindInWords(stats)}.`
    }
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats && !stats.isFile()) return `\`file=${file}\` cannot be written: it is ${kindInWords(stats)}.`
    // `groundAt` protects against a process that replaces the folder after the check above.
    const ground = groundAt(cwd)
    makeFolder(ground, folder)
    // Always replace the file, because an existing one may have a hard link outside of `cwd`.
    replaceFile(ground, path, text)
    return undefined
  } catch (error: unknown) {
    return `\`file=${file}\` could not be written: ${messageOf(error)}`
  }
}

export function placeOfFileBlock({ attributes: { file = '' } }: FileBlock, cwd: string): readonly string[] {
  const names = pathParts(file)
  return names.length === 0 || names.includes('..') ? [] : [join(cwd, ...names)]
}

function pathParts(file: string): readonly string[] {
  const parts = posix.normalize(file.replaceAll('\\', '/')).split('/')
  return parts.filter((part) => part !== '' && part !== '.')
}
