import type { Ran, Teller } from './run-mdtest.ts'

export interface DemoFolder {
  readonly dir: string
  readonly spec: string
  readonly savingLine: string
  remove(): void
}

interface Story {
  readonly folder: DemoFolder
  readonly agent: string | undefined
  readonly reportDir: string
  readonly teller: Teller
  readonly signal: AbortSignal
  run(words: readonly string[], from?: RegExp): Promise<Ran>
}

export async function tellStory(story: Story): Promise<boolean> {
  introduce(story)
  let isAsTold = true
  for (const part of [works, forgets, lies, recorded, reported]) {
    const asTold = await part(story)
    if (story.signal.aborted) return false
    if (!asTold) story.teller.tell('UNEXPECTED: the result should have been different.')
    isAsTold &&= asTold
  }
  return isAsTold
}

function introduce({ folder, agent, teller }: Story): void {
  teller.tell(`mdtest runs tests that are written in plain words: markdown files, called specs. A coding agent does what a spec
says. mdtest decides whether it passes, by what it saw itself and never by what the agent claims.

This is a spec, for a small program that keeps notes:`)
  teller.show(`${readable(folder.spec)}\n`)
  teller.tell(
    agent === undefined
      ? `No coding agent is needed here: a script stands in for it. The script understands nothing; what it does in each step
was written down beforehand. All the rest is real: the prompt, the agent's process, its reports, the commands, the
log and the verdict.`
      : `\`${agent}\` is the agent, with your login and at your cost. If an agent has to lie, a script stands in for it.`,
  )
}

/** Removes front matter, setup and teardown, so that the shown spec is short. */
function readable(spec: string): string {
  return spec
    .replace(/^---\n[\s\S]*?\n---\n\n/, '')
    .replace(/^## Setup\n[\s\S]*?(?=^## )/m, '')
    .replace(/\n+## Teardown\n[\s\S]*$/, '')
}

async function works({ agent, teller, run }: Story): Promise<boolean> {
  teller.head('1 of 5: the program works')
  teller.tell(
    `${agent === undefined ? 'The script' : `\`${agent}\``} gets the spec, has mdtest run the commands, and reports each step.`,
  )
  if (!hasPassed(await run(['run', 'works']))) return false
  teller.tell(`Green, and \`steps:\` shows the evidence. One step is \`verified\`: mdtest itself ran the block marked \`verify\`,
and saw what the spec says. The other step has no such block: there the agent quoted a line of the program, and
mdtest found it in the output. This is what mdtest saw of the agent:`)
  const { exitCode } = await run(['show', 'works/tick-off.test.md'])
  return exitCode === 0
}

async function forgets({ folder, agent, teller, run }: Story): Promise<boolean> {
  teller.head('2 of 5: the program forgets to save')
  teller.tell('The same spec, but the program now lacks the line that saves a ticked note:')
  teller.show(`- ${folder.savingLine}\n`)
  const isScript = agent === undefined
  teller.tell(
    `It still prints "done 1: milk".${isScript ? ' So the script sees nothing wrong, and reports a pass.' : ''}`,
  )
  if (!hasFailed(await run(['run', 'forgets']))) return false
  const why = `After the report mdtest ran \`node notes.mjs list\` itself. The line with - was expected, the line
with + was seen.`
  teller.tell(`Red, as it has to be.${isScript ? ` ${why}` : ''}`)
  return true
}

async function lies({ teller, run }: Story): Promise<boolean> {
  teller.head('3 of 5: an agent that lies')
  teller.tell(`The program works again. But now the script does nothing at all. It reports that each step passed, and quotes as
evidence the words that the spec wants to see.`)
  if (!hasFailed(await run(['run', 'lies']))) return false
  teller.tell('Red: no command was run for the step, and no output contains the words that it quotes.')
  return true
}

async function recorded({ agent, teller, run }: Story): Promise<boolean> {
  teller.head('4 of 5: recorded, then repeated without the agent')
  teller.tell(`An agent is slow, and costs money. So mdtest records what it did, and checks the recording: it has to give the same result
again, and to fail without the program.`)
  const recording = await run(['record', 'works'])
  if (!hasPassed(recording)) return false
  teller.tell('From now on mdtest runs these commands itself. No agent is started:')
  const replay = await run(['run', 'works', '--replay', 'only'])
  if (!hasPassed(replay)) return false
  const [who, more] =
    agent === undefined ? ['the script', ' A real agent is much slower than a script.'] : [`\`${agent}\``, '']
  teller.tell(`It took ${seconds(recording)} with ${who}, and ${seconds(replay)} without it.${more}`)
  return true
}

async function reported({ reportDir, teller, run }: Story): Promise<boolean> {
  teller.head('5 of 5: one report')
  teller.tell('All three once more, in one run, for a report that you can pass on: one passes, two fail.')
  const { printed } = await run(['run', `--report=${reportDir}`], / Test Files /)
  return /^1 passed, 2 failed$/m.test(printed) && /^report: /m.test(printed)
}

function hasPassed({ exitCode, printed }: Ran): boolean {
  return exitCode === 0 && /^1 passed, 0 failed$/m.test(printed)
}

function hasFailed({ exitCode, printed }: Ran): boolean {
  return exitCode === 1 && /^0 passed, 1 failed$/m.test(printed)
}

function seconds({ durationMs }: Ran): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}
