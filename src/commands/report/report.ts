import { appendFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { tellPullRequest } from '../../pull-request/tell-pull-request.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { command, flag, type CommandSyntax } from '../common/define-command.ts'
import { suiteRootFlag } from '../common/flags.ts'
import { SetUpError } from '../common/cli.ts'
import { suiteRoot } from '../common/suite.ts'

export const reportSyntax = {
  command: 'report',
  usage: ['--github [folder] [options]'],
  about:
    'Posts the report in a folder (default: mdtest-report) to the pull request of a GitHub Actions job: in one comment for all jobs, and at changed lines that failed. After `workflow_run` it also creates a check. `run --report` and the reporters write such a folder.',
  flags: {
    github: flag('--github', 'post the results to the pull request'),
    suite: flag('--suite NAME', 'name of this job in the comment; each job of a matrix needs its own name'),
    reportUrl: flag('--report-url URL', 'URL at which the folder is hosted, for screenshots'),
    dryRun: flag('--dry-run', 'print what would be sent, without contacting GitHub'),
    dir: suiteRootFlag,
  },
  examples: ['--github', '--github mdtest-report --suite "node 24"', '--github --dry-run'],
  exitCodes: '0 done, even if nothing could be sent; 2 wrong use, or there is no report.',
} satisfies CommandSyntax

export const report = command(reportSyntax, async (given, { cwd, env, stdout }) => {
  const { github, dryRun = false, dir, paths, help: _help, ...named } = given
  const [folder = 'mdtest-report', another] = paths
  if (another !== undefined) throw new SetUpError(`One report at a time, got \`${folder}\` and \`${another}\`.`)
  if (!github) {
    throw new SetUpError(
      '`mdtest report` only posts a report to a pull request, with `--github`. To write a report, run `mdtest run --report`; to merge those of shards, `npx vitest --merge-reports`.',
    )
  }
  const root = await suiteRoot(dir, cwd)
  const posted = await tellPullRequest(resolve(root, folder), { ...named, env, root, isDryRun: dryRun })
  if (posted === undefined)
    throw new SetUpError('This is no GitHub Actions job. `--dry-run` shows what such a job would send.')
  const { isSent, message, body } = posted
  stdout.write(plainText(dryRun ? `${body}\n${message}\n` : `${message}\n`))
  const { GITHUB_STEP_SUMMARY: summary } = env
  if (!isSent && !dryRun && summary) await appendFile(summary, `${body}\n`).catch(() => undefined)
})
