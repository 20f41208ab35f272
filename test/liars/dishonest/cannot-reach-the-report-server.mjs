export default {
  does: 'Does not start, because it could not reach the report server.',
  as: 'codex',
  act() {
    console.error('Error: required MCP servers failed to initialize: mdtest: connection refused')
    process.exitCode = 1
  },
}
