export default {
  does: 'Is a program of any name that speaks to the MCP server by itself.',
  as: 'command',
  front: ["allow: ['Bash(node notes.mjs *)']"],
  async act({ act, report }) {
    await act('run', { command: 'node notes.mjs add milk' })
    await report('1-add-a-note', 'pass', { evidence: [{ quote: 'added milk' }] })
    await act('run', { command: 'node notes.mjs list' })
    const evidence = [{ quote: '1 [ ] milk' }]
    await report('2-list-the-notes', 'pass', { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence })) })
  },
}
