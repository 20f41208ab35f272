import { pathToFileURL } from 'node:url'
import { compiled } from '../../scripts/lib/run-command.ts'

/**
 * Imports a compiled module of mdtest, so that measures run compiled code. Give it the type of the source, because
 * `.cache/compiled` exists only after a build:
 * `importCompiled<typeof import('../../src/plan/plan-spec.ts')>('plan/plan-spec')`.
 * @param path path in src/, without `.ts`
 */
export async function importCompiled<Module>(path: string): Promise<Module> {
  return import(pathToFileURL(`${compiled}/${path}.js`).href)
}
