import { openGitHub } from './github-api.ts'
import { postReport, type Posted, type PostOptions } from './post-report.ts'
import { readReport } from './read-report.ts'
import { readWorkflow } from './workflow.ts'

interface TellOptions extends PostOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute path of the suite root. */
  readonly root: string
  /** What the name of the suite ends with, such as the shard. */
  readonly part?: string
}

/**
 * Tells the pull request of a job of GitHub Actions what a report holds; `undefined` elsewhere.
 * @param folder of the report
 * @throws {MdtestError} `LOG_UNREADABLE` where it holds none
 */
export async function tellPullRequest(
  folder: string,
  { env, root, part = '', ...options }: TellOptions,
): Promise<Posted | undefined> {
  const given = options.isDryRun ? { GITHUB_REPOSITORY: 'owner/name', GITHUB_SHA: 'HEAD', ...env } : env
  const workflow = readWorkflow(given, root)
  if (workflow === undefined) return undefined
  const suite = `${options.suite ?? workflow.name}${part}`
  return await postReport(readReport(folder), { ...options, suite, workflow, github: () => openGitHub(workflow) })
}
