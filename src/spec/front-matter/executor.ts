/** Who executes the product while an agent carries out prose. `auto`: mdtest, wherever that can be had. */
export const executors = ['auto', 'mdtest', 'agent'] as const // literals, for the type

/** Whether an agent's process is in a sandbox where mdtest executes: where there is one; always, or nothing runs; never. */
export const sandboxModes = ['auto', 'require', 'off'] as const // literals, for the type

export type ExecutorChoice = (typeof executors)[number]
export type SandboxMode = (typeof sandboxModes)[number]

/** What to write in place of a setting that there is no more. */
export const replacedSettings: ReadonlyMap<string, string> = new Map([
  ['hands', 'Write `executor` (`auto`, `mdtest` or `agent`) and `sandbox` (`auto`, `require` or `off`) in its place.'],
  ['rows', 'Write `afterFailure`, or `after-failure` in front matter: `continue` or `stop`.'],
  ['evidence', 'Write `minAssurance`, or `min-assurance` in front matter: `claimed`, `observed`, `evidenced` …'],
])
