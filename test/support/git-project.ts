import { execFileSync } from 'node:child_process'
import { createProject, type Project } from './create-project.ts'

/** Runs git in a project, and gives what it prints. */
export function gitIn({ dir }: Pick<Project, 'dir'>, ...args: readonly string[]): string {
  const argv = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args]
  return execFileSync('git', argv, { cwd: dir, stdio: 'pipe', encoding: 'utf8' })
}

/** Makes a repository of a project, and commits what is in it. */
export function commitAll(project: Pick<Project, 'dir'>): void {
  gitIn(project, 'init', '-q')
  gitIn(project, 'add', '-A')
  gitIn(project, 'commit', '-qm', 'all')
}

/**
 * A project in which all is committed, whose agent is a shell script, `$1` its log, `$2` the spec; without a further word it
 * writes a log that passes.
 */
export async function projectOfAgent(
  script: string,
  { files = {}, isRepository = true }: { files?: Readonly<Record<string, string>>; isRepository?: boolean } = {},
): Promise<Project> {
  const project = await createProject({
    'vitest.config.js': `import { join } from 'node:path'
import { mdtest } from 'vitest-mdtest'
const agent = join(import.meta.dirname, 'agent.sh')
export default { plugins: [mdtest({ agent: { command: ['sh', agent, '{log}', '{spec}'] } })] }
`,
    'agent.sh': `say() { printf -- '---\\nstatus: %s\\n---\\n' "$1" > "$log"; }\nlog=$1; root=$(dirname "$0")\nsay pass\n${script}\n`,
    'src/shop.js': 'broken\n',
    '.gitignore': 'node_modules\n*.logs\n.report.json\ndist\n',
    ...files,
  })
  if (isRepository) commitAll(project)
  return project
}
