import { mdtest } from 'vitest-mdtest'

// The specs with prose are carried out by a script, so that they run anywhere; `--agent claude` has Claude Code do it.
const command = ['node', '{root}/scripted-agent.mjs', '{mcp}', '{spec}', '{prompt}']

export default {
  plugins: [
    mdtest({
      agent: { command },
      // The script runs nothing itself: mdtest does, and so it sees all that is done. It is ours, and needs no sandbox.
      executor: 'mdtest',
      sandbox: 'off',
    }),
  ],
}
