import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { z } from 'zod'
import { orNothing } from '../system/error-facts.ts'
import { isInside } from '../system/files/paths.ts'
import type { Repository } from './outside-text.ts'

const repository = z.object({ full_name: z.string() })
const eventSchema = z.object({
  pull_request: z
    .object({ number: z.number(), head: z.object({ sha: z.string(), repo: repository.nullable() }) })
    .optional(),
  workflow_run: z
    .object({ head_sha: z.string(), head_repository: repository.nullish(), id: z.number(), run_attempt: z.number() })
    .optional(),
})

/** Data about the job that posts the results. */
export interface Workflow {
  /** For example `https://api.github.com`. */
  readonly api: string
  /** The repository that the workflow belongs to, as `owner/name`. */
  readonly base: string
  /** The repository of the tested files. For a pull request from a fork, this is the fork. */
  readonly repository: Repository
  readonly pullRequest?: number
  /** Whether an earlier workflow ran the specs and triggered this job. The earlier workflow may be of a fork. */
  readonly isAfterwards: boolean
  readonly run: number
  readonly attempt: number
  readonly job: string
  readonly name: string
  readonly token?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads data about the job from GitHub Actions; `undefined` elsewhere. `root`: absolute path of the suite root */
export function readWorkflow(env: Environment, root: string): Workflow | undefined {
  const { GITHUB_REPOSITORY: base, GITHUB_SHA: sha, GITHUB_WORKSPACE: top, GITHUB_EVENT_PATH: eventPath } = env
  if (!base || !sha) return undefined
  const event = eventPath ? readEvent(eventPath) : {}
  const { pull_request: pull, workflow_run: before } = event
  const token = env.GITHUB_TOKEN || env.GH_TOKEN
  return {
    api: env.GITHUB_API_URL || 'https://api.github.com',
    base,
    repository: {
      server: env.GITHUB_SERVER_URL || 'https://github.com',
      name: pull?.head.repo?.full_name ?? before?.head_repository?.full_name ?? base,
      // For a pull request, GITHUB_SHA is a merge commit that only GitHub has.
      commit: pull?.head.sha ?? before?.head_sha ?? sha,
      folder: top && isInside(root, top) ? relative(top, root).split(sep).join('/') : undefined,
    },
    ...(pull && { pullRequest: pull.number }),
    isAfterwards: before !== undefined,
    run: before?.id ?? Number(env.GITHUB_RUN_ID ?? 0),
    attempt: before?.run_attempt ?? Number(env.GITHUB_RUN_ATTEMPT ?? 1),
    job: env.RUNNER_TRACKING_ID || env.RUNNER_NAME || '',
    name: env.MDTEST_SUITE || jobName(env),
    ...(token && { token }),
  }
}

/** Names of workflow and job, and the values of the matrix. This package's GitHub action sets MDTEST_MATRIX. */
function jobName({ GITHUB_WORKFLOW: workflow, GITHUB_JOB: job, MDTEST_MATRIX: matrix }: Environment): string {
  const part = orNothing(() => z.record(z.string(), z.unknown()).parse(JSON.parse(matrix ?? '')))
  const values = Object.values(part ?? {}).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const named = [workflow, job].filter(Boolean).join(' / ') || 'specs'
  return values.length === 0 ? named : `${named} (${values.join(', ')})`
}

function readEvent(file: string): z.infer<typeof eventSchema> {
  // Ignore errors: the data of other events is different, and in a container the file may be missing.
  return orNothing(() => eventSchema.parse(JSON.parse(readFileSync(file, 'utf8')))) ?? {}
}
