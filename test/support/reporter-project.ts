import { chmod, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProject, type Project } from './create-project.ts'
import type { Lane } from './lane.ts'
import { usersLane } from './users-lane.ts'

const folder = fileURLToPath(new URL('../../fixtures/reporters/project', import.meta.url))

/** A copy of the project with every kind of result. */
export interface ReporterProject extends Project {
  /** With the agent of the fixture on PATH. */
  readonly env: Readonly<Record<string, string>>
  /** As a fresh machine has it after a checkout: nothing of an earlier run is left. */
  reset(): Promise<void>
}

/** Makes such a copy; `await using` removes it. */
export async function createReporterProject(lane: Lane = usersLane): Promise<ReporterProject> {
  const files = await readFiles()
  const project = await createProject(files, lane)
  const agent = project.path('bin/claude')
  await chmod(agent, 0o755)
  return {
    ...project,
    env: { PATH: `${project.path('bin')}:${process.env.PATH}` },
    async reset() {
      for (const name of await readdir(project.dir)) {
        if (name !== 'node_modules') await rm(project.path(name), { recursive: true })
      }
      for (const [name, text] of Object.entries(files)) await project.write(name, text)
      await chmod(agent, 0o755)
    },
  }
}

async function readFiles(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const) // a pair, not a list
  return Object.fromEntries(await Promise.all(texts))
}
