// What a program does that tells a lie of `test/liars/executor`: in its own process all that others do by their tools.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** All acts of a step one after the other, then its report. */
export const playing = (ways, cites) => async (agent) => {
  agent.open()
  for (const [index, step] of agent.steps.entries()) {
    for (const acts of ways) for (const act of acts[index]) await play(agent, act)
    const evidence = cites[index]
    const checks = step.checks.map((check) => ({ ...check, evidence }))
    await agent.reportOpenly(step.id, 'pass', checks.length === 0 ? { evidence } : { checks })
  }
}

async function play(agent, { kind, command, file, content, isOwn }) {
  const place = (text) =>
    text.replace('{evidence}', () => agent.evidenceDir).replace('{scratch}', () => agent.scratchDir)
  const folder = `'${agent.evidenceDir.replaceAll("'", `'\\''`)}'`
  const line = command?.replaceAll('{evidence}', () => folder)
  try {
    if (isOwn) {
      if (kind === 'write') writeFileSync(place(file), content)
      if (kind === 'command') execFileSync('sh', ['-c', line], { stdio: 'ignore' })
    } else if (kind === 'write') await agent.act('write', { path: place(file), content })
    else if (kind === 'read') await agent.act('read', { path: place(file) })
    else await agent.act('run', { command: line })
  } catch {
    // It may not do that.
  }
}
