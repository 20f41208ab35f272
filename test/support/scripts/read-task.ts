/** What a scripted model understood of the prompt. */
export interface Task {
  readonly specFile: string
  readonly logFile: string
  readonly runId: string
  readonly steps: readonly { readonly id: string; readonly title: string }[]
  readonly hasSetup: boolean
  readonly hasTeardown: boolean
}

/** The task a prompt gives, or `undefined` where it gives none. */
export function readTask(prompt: string): Task | undefined {
  const specFile = /^Specification: (.+)$/m.exec(prompt)?.[1]
  const logFile = /^Result log: (.+)$/m.exec(prompt)?.[1]
  if (specFile === undefined || logFile === undefined) return undefined
  const list = /^Steps, in this order:\n((?:- .+\n?)*)/m.exec(prompt)?.[1] ?? ''
  const steps = [...list.matchAll(/^- (\S+): (.+?)(?: \(\d+ checks?\))?$/gm)].map(([, id = '', title = '']) => ({
    id,
    title,
  }))
  return {
    specFile,
    logFile,
    runId: /^Run id: (.+)$/m.exec(prompt)?.[1] ?? '',
    steps,
    hasSetup: prompt.includes('prose of the setup section'),
    hasTeardown: prompt.includes('prose of the teardown section'),
  }
}
