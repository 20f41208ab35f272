import { mdtest } from 'vitest-mdtest'

// A script carries out the prose, so that the specs run anywhere. Use `--agent claude` for a real agent.
const command = ['node', '{root}/scripted-agent.mjs', '{mcp}', '{spec}', '{prompt}']

export default {
  plugins: [
    mdtest({
      agent: { command },
      // mdtest runs the commands for the script, and so sees all of them. No sandbox, because we trust the script.
      executor: 'mdtest',
      sandbox: 'off',
    }),
  ],
}
