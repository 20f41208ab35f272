import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from './create-project.ts'

/** Names in a folder for logs that have to do with recordings. */
export async function recordingsIn(project: Project, folder: string): Promise<readonly string[]> {
  const names = await readdir(project.path(folder)).catch(() => [])
  return names.filter((name) => name.includes('.cast'))
}

/** Those that are not a whole recording: each line of one is JSON. */
export async function brokenRecordingsIn(project: Project, folder: string): Promise<readonly string[]> {
  const names = await recordingsIn(project, folder)
  const whole = await Promise.all(names.map(async (name) => isWhole(name, await project.read(join(folder, name)))))
  return names.filter((_name, index) => whole[index] !== true)
}

function isWhole(name: string, text: string): boolean {
  try {
    for (const line of text.trimEnd().split('\n')) JSON.parse(line)
    return name.endsWith('.cast') && text.endsWith('\n')
  } catch {
    return false
  }
}
