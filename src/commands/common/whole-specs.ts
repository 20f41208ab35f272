import { discoverSpecs, namedSpecs } from './find-specs.ts'
import { SetUpError } from './set-up-error.ts'

interface WholeSpecsInput {
  /** The command that asks, for the message. */
  readonly command: string
  /** Absolute path of the suite root. */
  readonly root: string
  readonly cwd: string
  /** Which files are specs: globs relative to the root. */
  readonly include: readonly string[]
}

/**
 * Absolute paths of the specs that a command was given, all under the suite root where it was given none.
 * @throws {SetUpError} for a path that is no spec, or one with a line: the command is about whole specs.
 */
export async function wholeSpecs(
  paths: readonly string[],
  { command, root, cwd, include }: WholeSpecsInput,
): Promise<readonly string[]> {
  const withLine = paths.find((path) => /\.md:\d+$/i.test(path))
  if (withLine !== undefined) throw new SetUpError(`\`${withLine}\`: \`mdtest ${command}\` takes specs without a line.`)
  const found =
    paths.length > 0 ? await namedSpecs(paths, { dir: root, cwd, include }) : await discoverSpecs(root, include)
  return found.map(({ file }) => file)
}
