import { stepEntry, type Place } from './job-results.ts'
import type { GitHubApi, LineComment } from './github-api.ts'
import { markdownOf } from './outside-text.ts'
import type { ReadReport } from './read-report.ts'

const maxLineComments = 10

interface LineComments {
  readonly number: number
  readonly report: ReadReport
  readonly place: Place
  readonly suite: string
}

/** Comments on the changed lines of specs whose steps failed. Removes earlier comments that no longer apply. */
export async function putLineComments(api: GitHubApi, { number, report, place, suite }: LineComments): Promise<number> {
  const { folder, commit } = place.repository
  const mark = `<!-- vitest-mdtest:line ${Buffer.from(suite).toString('base64')} -->`
  const [changed, before] = await Promise.all([api.changedLines(number), api.ownLineComments(number, mark)])
  const wanted = report.specs
    .flatMap((spec) =>
      spec.steps.flatMap((step): readonly LineComment[] => {
        const path = [folder, step.file ?? spec.spec].filter(Boolean).join('/')
        const lines = [
          step.line,
          ...step.reasons.map((reason) => (reason.file === undefined ? reason.line : undefined)),
        ]
        const line = lines.findLast((each) => each !== undefined && changed.get(path)?.has(each))
        if (step.outcome !== 'fail' || line === undefined || folder === undefined) return []
        return [{ path, line, body: `${mark}\n${markdownOf(...stepEntry(spec, step, place))}` }]
      }),
    )
    .slice(0, maxLineComments)
  const isIn = (all: readonly LineComment[], { path, line, body }: LineComment): boolean =>
    all.some((each) => each.path === path && each.line === line && each.body === body)
  for (const old of before) if (!isIn(wanted, old)) await api.removeLineComment(old.id)
  const fresh = wanted.filter((comment) => !isIn(before, comment))
  if (fresh.length > 0) await api.addLineComments(number, commit, fresh)
  return wanted.length
}
