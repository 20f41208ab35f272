import { singleQuoted } from '../../../system/text/quote-word.ts'

const begin = '# >>> mdtest gate >>>'
const end = '# <<< mdtest gate <<<'
const ownFileMark = '# The whole file is ours.'

/** Where things are on this machine. */
export interface Machine {
  /** Absolute path of a folder with `node`, for clients of git that start hooks without the user's PATH. */
  readonly nodeFolder: string
  /** Absolute path of our program, for a linked work tree without packages. */
  readonly program: string
}

/** What the hook has to know. */
interface BlockOptions {
  /** Path of the project relative to the work tree, where hooks are run; empty for the same folder. */
  readonly project: string
  /** Path of the configuration relative to the project. */
  readonly configFile: string | undefined
  /** What is only known on this machine; not for a hook that others get, too. */
  readonly machine?: Machine | undefined
}

/**
 * A hook with our block, in place of an older one; `undefined` where it is no shell script. The block comes first: a hook
 * may end with `exit` or `exec`, and nothing behind that would ever run.
 */
export function addBlock(hook: string | undefined, options: BlockOptions): string | undefined {
  const old = hook === undefined ? '' : (removeBlock(hook) ?? hook)
  const [firstLine = ''] = old.split('\n', 1)
  if (old === '') return `#!/bin/sh\n${block(options, [ownFileMark])}`
  if (!firstLine.startsWith('#!')) return `${block(options)}${old}`
  if (!/^#!.*\b(?:ba|da|k|z)?sh\b/.test(firstLine)) return undefined
  const rest = old.slice(firstLine.length + 1)
  return `${firstLine}\n${block(options)}${rest}`
}

/** A hook without our block, byte for byte as it was; empty where all of it is ours, `undefined` where nothing is. */
export function removeBlock(hook: string): string | undefined {
  const start = hook.indexOf(`${begin}\n`)
  const stop = hook.indexOf(`${end}\n`, start)
  if (start < 0 || stop < 0) return undefined
  const rest = hook.slice(0, start) + hook.slice(stop + end.length + 1)
  return hook.slice(start, stop).includes(ownFileMark) && rest === '#!/bin/sh\n' ? '' : rest
}

function block({ project, configFile, machine }: BlockOptions, notes: readonly string[] = []): string {
  const config = configFile === undefined ? '' : ` --config ${singleQuoted(configFile)}`
  const gate = `gate --fix-attempts 0 --no-execution-log${config}`
  const lines = [
    begin,
    ...notes,
    '# No commit with red tests. `mdtest gate --hook --remove` takes this out, `git commit --no-verify` goes without.',
    '(',
    ...(project === '' ? [] : [`  cd ${singleQuoted(project)} || exit 1`]),
    ...(machine === undefined ? [] : [`  PATH="$PATH":${singleQuoted(machine.nodeFolder)}`, '  export PATH']),
    '  for folder in . .. ../.. ../../.. ../../../..; do',
    '    mdtest="$folder/node_modules/.bin/vitest-mdtest"',
    `    if [ -f "$mdtest" ]; then exec "$mdtest" ${gate}; fi`,
    '  done',
    ...(machine === undefined
      ? []
      : [`  if [ -f ${singleQuoted(machine.program)} ]; then exec node ${singleQuoted(machine.program)} ${gate}; fi`]),
    `  exec npx --no-install vitest-mdtest ${gate}`,
    ') || exit 1',
    end,
  ]
  return lines.map((line) => `${line}\n`).join('')
}
