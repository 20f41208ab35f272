import { readFile } from 'node:fs/promises'
import type { SpecsConfig } from './specs-config.ts'

/** What would be wrong with a spec, if files held other texts, by absolute path. */
export async function findProblem(
  specFile: string,
  { texts, root, ...config }: SpecsConfig & { readonly texts: ReadonlyMap<string, string>; readonly root: string },
): Promise<string | undefined> {
  // Loaded with the first rewrite: most runs make none.
  const { planSpec } = await import('./plan-spec.ts')
  const source = texts.get(specFile) ?? (await readFile(specFile))
  const planned = planSpec(source, { file: specFile, root, texts, ...config })
  const [first] = planned.ok ? [] : planned.problems
  return first && `line ${first.line}: ${first.message}`
}
