import { findRealClis, realCliPath } from '../../test/real-agents/find-real-clis.ts'
import { createIsolatedHome } from '../../test/support/isolated-home.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import { reportSpec } from '../../test/support/scripts/report-spec.ts'
import { createProject, type Project } from './project.ts'

const config = `import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'
export default defineConfig({
  plugins: [
    mdtest({
      agent: 'claude',
      allow: ['Bash(sh notes.sh *)'],
      replay: process.env.REPLAY,
      executor: process.env.EXECUTOR,
    }),
  ],
})
`

/** A project whose agent is the real `claude` with a scripted model that answers at once. */
export interface LiveProject {
  readonly project: Project
  /** PATH with the CLI's folder first */
  readonly path: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** Number of model requests so far */
  asked(): number
  remove(): Promise<void>
}

/** @param files text by name, beside `vitest.config.ts` */
export async function createLiveProject(
  files: Readonly<Record<string, string>>,
): Promise<({ readonly ok: true } & LiveProject) | { readonly ok: false; readonly reason: string }> {
  const clis = findRealClis()
  if (!clis.ok) return clis
  const server = await startModelServer(reportSpec)
  const home = createIsolatedHome({ modelUrl: server.url, path: realCliPath(clis.folder) })
  const project = await createProject({ 'vitest.config.ts': config, ...files })
  return {
    ok: true,
    project,
    path: home.env.PATH,
    env: { ...home.env, IS_SANDBOX: '1' },
    asked: () => server.conversations.length,
    async remove() {
      await project.remove()
      home[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** A spec in which each step adds a note, and the last step lists the notes. */
export function notesSpec(steps: number): string {
  const sections = Array.from({ length: steps - 1 }, (_, index) => {
    return `## Add note ${index + 1}\n\nRun \`sh notes.sh add note${index + 1}\`. It prints "added note${index + 1}".\n`
  })
  return `---
cwd: copy
---

# Notes

${sections.join('\n')}
## List the notes

Run \`sh notes.sh list\`. It prints "note1".
`
}

/** The program under test. It is fast, so that the measured time is that of the tools around it. */
export const notesProgram = `case $1 in
add) echo "$2" >>notes; echo "added $2" ;;
list) cat notes ;;
esac
`
