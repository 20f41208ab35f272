import { readFile, readlink, stat } from 'node:fs/promises'
import { relative } from 'node:path'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { describeFileError } from '../../system/files/file-errors.ts'

/**
 * Why a spec has no result, as text for standard error: there is no such file, what is wrong with it, or what Vitest has
 * said already.
 *
 * @param context the run; `root` is the absolute path that the spec is named relative to
 */
export async function describeMissing(
  file: string,
  context: Pick<SpecsConfig, 'options' | 'commandLine'> & { readonly root: string },
): Promise<string> {
  const { root } = context
  const head = `mdtest: ${relative(root, file)} did not run:`
  const bytes = await readFile(file).catch(describeFileError)
  if (typeof bytes === 'string') return await describeUnreadable(file, { head, why: bytes })
  const { planSpec } = await import('../../plan/plan-spec.ts')
  const planned = planSpec(bytes, { file, ...context })
  if (planned.ok) return `${head} see the errors above.\n`
  const { formatProblems } = await import('../../spec/problems.ts')
  return `${head}\n${formatProblems(planned.problems, { text: bytes.toString('utf8'), included: planned.included, root })}\n`
}

async function describeUnreadable(
  file: string,
  { head, why }: { readonly head: string; readonly why: string },
): Promise<string> {
  const target = await readlink(file).catch(() => undefined)
  if (target === undefined) return `${head} it cannot be read: ${why}. Make it readable, or remove it.\n`
  const isLost = await stat(file).then(
    () => false,
    () => true,
  )
  const fault = isLost ? 'which is not there' : `which cannot be read: ${why}`
  return `${head} it is a link to \`${target}\`, ${fault}. Correct the link, or delete it.\n`
}
