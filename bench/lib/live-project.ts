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
      executor: process.env.HANDS,
    }),
  ],
})
`

/** A project whose agent is the real `claude` on a scripted model, which thinks for no time. */
export interface LiveProject {
  readonly project: Project
  /** With the CLI first. */
  readonly path: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** How often the model was asked. */
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

/** A spec whose steps add notes, one each, and at last list them. */
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

/** What the spec is about. It starts in no time, and so leaves what the tools around it cost. */
export const notesProgram = `case $1 in
add) echo "$2" >>notes; echo "added $2" ;;
list) cat notes ;;
esac
`
