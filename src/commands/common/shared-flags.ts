import { agentNames } from '../../agents/registry.ts'
import type { Flag } from './command-syntax.ts'
import { agentOf } from './flag-readers.ts'

// Flags that are the same for several commands.

export const suiteRootFlag = {
  flag: 'dir',
  short: 'd',
  value: 'DIR',
  summary: 'suite root (default: the current directory)',
} as const satisfies Flag

export const agentFlag = {
  flag: 'agent',
  short: 'a',
  value: 'NAME',
  read: agentOf([...agentNames, 'none']),
  summary: `who carries out the prose: ${agentNames.join(', ')}, none, { acp: [PROGRAM, …] } or a command with {prompt} (default: auto)`,
} as const satisfies Flag

export const includeFlag = {
  flag: 'include',
  value: 'GLOB',
  isRepeatable: true,
  summary: 'which files are specs, relative to the suite root; repeatable (default: the option `include`)',
} as const satisfies Flag

export const changeFlag = {
  flag: 'change',
  value: 'NAME',
  summary: 'all specs of a change of OpenSpec, as its proof: nothing in them is expected to fail',
} as const satisfies Flag

export const logsDirFlag = {
  flag: 'logs-dir',
  value: 'DIR',
  summary: 'where the logs are, if the option `logs.dir` is set',
} as const satisfies Flag

export const projectRootFlag = {
  flag: 'root',
  value: 'DIR',
  summary: 'the project (default: the git root of the current directory, else that)',
} as const satisfies Flag

export const allowFlag = {
  flag: 'allow',
  value: 'RULE',
  isRepeatable: true,
  summary: 'what the agent may do without asking, e.g. "Bash(npm *)"; repeatable',
} as const satisfies Flag

export const allowAllActionsFlag = {
  flag: 'dangerously-allow-all-actions',
  short: 'A',
  summary: 'let the agent do anything without asking',
} as const satisfies Flag
