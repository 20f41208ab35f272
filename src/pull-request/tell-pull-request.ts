import { openGitHub } from './github-api.ts'
import { postReport, type Posted, type PostOptions } from './post-report.ts'
import { readReport } from './read-report.ts'
import { readWorkflow } from './workflow.ts'

interface TellOptions extends PostOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute path of the suite root. */
  readonly root: string
  /** Added to the name of the suite, for example the shard. */
  readonly part?: string
}

/**
 * Posts a report to the pull request of a GitHub Actions job. Returns `undefined` outside of GitHub Actions.
 * @param folder the report's folder
 * @throws {MdtestError} `LOG_UNREADABLE` if the folder contains no report
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
