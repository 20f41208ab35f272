export default {
  does: 'Is refused its only command and writes `status: fail`.',
  as: 'claude',
  act({ print, writeLog }) {
    const denial = { tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: { command: 'node notes.mjs list' } }
    print({ type: 'result', subtype: 'success', is_error: false, permission_denials: [denial] })
    writeLog({ status: 'fail' })
  },
}
