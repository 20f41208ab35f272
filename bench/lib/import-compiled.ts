import { pathToFileURL } from 'node:url'
import { compiled } from '../../scripts/lib/run-command.ts'

/**
 * Imports a module of ours as it is compiled: that is what gets measured. Its type is that of its
 * source, as `.cache/compiled` is there only after a build:
 * `importCompiled<typeof import('../../src/plan/plan-spec.ts')>('plan/plan-spec')`.
 * @param path in src/, without `.ts`
 */
export async function importCompiled<Module>(path: string): Promise<Module> {
  return import(pathToFileURL(`${compiled}/${path}.js`).href)
}
