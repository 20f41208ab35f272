import { singleQuoted } from '../../../system/text/quoting.ts'

const mark = '# Written by `mdtest gate --hook`; `mdtest gate --hook --remove` removes it.'

/** What the hook has to know. */
export interface HookOptions {
  /** Path of the project relative to the work tree, where hooks are run; empty for the same folder. */
  readonly project: string
  /** Path of the configuration relative to the project. */
  readonly configFile: string | undefined
  /** Where things are on this machine; not for a hook that others get, too. */
  readonly machine?: Machine | undefined
}

export interface Machine {
  /** Absolute path of a folder with `node`, for clients of git that start hooks without the user's PATH. */
  readonly nodeFolder: string
  /** Absolute path of our program, for a linked work tree without packages. */
  readonly program: string
}

/** Whether a hook is one that we have written. */
export function isOwnHook(hook: string): boolean {
  return hook.startsWith(`#!/bin/sh\n${mark}\n`)
}

/** The whole hook. */
export function formatHook({ project, configFile, machine }: HookOptions): string {
  const gate = gateArguments(configFile)
  const lines = [
    '#!/bin/sh',
    mark,
    '# No commit with red tests. `git commit --no-verify` goes without.',
    ...(project === '' ? [] : [`cd ${singleQuoted(project)} || exit 1`]),
    ...(machine === undefined ? [] : [`PATH="$PATH":${singleQuoted(machine.nodeFolder)}`, 'export PATH']),
    'for folder in . .. ../.. ../../.. ../../../..; do',
    '  mdtest="$folder/node_modules/.bin/vitest-mdtest"',
    `  if [ -f "$mdtest" ]; then exec "$mdtest" ${gate}; fi`,
    'done',
    ...(machine === undefined
      ? []
      : [`if [ -f ${singleQuoted(machine.program)} ]; then exec node ${singleQuoted(machine.program)} ${gate}; fi`]),
    `exec npx --no-install vitest-mdtest ${gate}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** The same in one line, for a hook of the user's. */
export function hookLine({ project, configFile }: HookOptions): string {
  const command = `npx --no-install vitest-mdtest ${gateArguments(configFile)}`
  return project === '' ? `${command} || exit 1` : `(cd ${singleQuoted(project)} && ${command}) || exit 1`
}

function gateArguments(configFile: string | undefined): string {
  const config = configFile === undefined ? '' : ` --config ${singleQuoted(configFile)}`
  return `gate --fix-attempts 0 --no-execution-log${config}`
}
