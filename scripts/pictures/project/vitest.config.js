import { defineConfig } from 'vitest/config'
import { mdtest } from 'vitest-mdtest'

export default defineConfig({
  plugins: [mdtest({ agent: { command: ['node', 'agent.js', '{log}'] } })],
})
