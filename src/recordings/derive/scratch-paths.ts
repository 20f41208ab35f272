import { putVariable } from './put-variable.ts'

const variable = 'MDTEST_SCRATCH'

/** A command with the private folder of blocks in the place of the folder (absolute path) that an agent has for its files. */
export function withoutScratch(command: string, scratchDir: string): string {
  const named = command.replace(new RegExp(String.raw`\$(\{?)${variable}(?!\w)`, 'g'), '$$$1TMPDIR')
  return putVariable(named, scratchDir, 'TMPDIR')
}

/** Why a command cannot be repeated that asks for the folder in another way; `undefined` where it can. */
export function scratchObstacle(command: string): string | undefined {
  const rest = command.replace(new RegExp(String.raw`\$\{?${variable}(?!\w)`, 'g'), '')
  return rest.includes(variable)
    ? `A command asks for \`${variable}\` by its name, which a replay does not know.`
    : undefined
}
